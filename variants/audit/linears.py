"""The linear layers of an artifact: logical shape, and the tensors that store them.

Storage by method (out x in weights, b bits, groups of g inputs):
    plain, fp8           weight [out, in]; weight_scale or weight_scale_inv
    compressed-tensors   weight [out, in], or weight_packed [out, in * b / 32] words
                         (4-bit floats: [out, in / 2] bytes); weight_scale, weight_shape
    gptq                 qweight [in * b / 32, out] words; scales [in / g, out]; g_idx [in]
    awq                  qweight [in, out * b / 32] words; scales [in / g, out]

Sources: compressed_tensors/compressors (0.19); vllm/model_executor/layers/quantization/gptq.py and
awq.py (parameters of create_weights).
"""

import re
from dataclasses import dataclass
from pathlib import Path

from variants.audit.label import Label
from variants.audit.safetensors import FLOATS, Tensor, read_integers
from variants.audit.tensors import read_tensors

EMBEDDINGS = re.compile(
    r"(^|\.)(embed_tokens|embed_positions|word_embeddings|wte|wpe|embeddings?)$"
)
WEIGHTS = ("weight_packed", "qweight", "weight")
SCALES = ("weight_scale", "weight_scale_inv", "scales")
PARTS = frozenset(
    (
        *WEIGHTS,
        *SCALES,
        *("weight_zero_point", "weight_shape", "weight_g_idx", "weight_global_scale"),
        *("input_scale", "input_zero_point", "input_global_scale", "activation_scale"),
        *("qzeros", "g_idx"),
    )
)
UNQUANTIZED = frozenset({*FLOATS, "BF16"})
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("experts", re.compile(r"\.experts\.")),
    ("attention", re.compile(r"attn|attention")),
    ("output_head", re.compile(r"lm_head|output_layer|embed_out")),
    ("feed_forward", re.compile(r"mlp|feed_forward|ffn|\.fc\d|dense_")),
)


@dataclass(frozen=True, slots=True)
class Linear:
    """One linear layer: its name, its logical shape, and the tensors that store it."""

    module: str
    shape: tuple[int, int]  # out, in
    parts: dict[str, Tensor]

    @property
    def num_weights(self) -> int:
        """Logical weights."""
        return self.shape[0] * self.shape[1]

    @property
    def num_bytes(self) -> int:
        """Stored bytes, scales and the like included."""
        return sum(part.num_bytes for part in self.parts.values())

    @property
    def weight(self) -> Tensor:
        """The tensor that holds the weights."""
        return next(self.parts[name] for name in WEIGHTS if name in self.parts)

    @property
    def scale(self) -> Tensor | None:
        """The tensor that holds the weights' scales."""
        return next((self.parts[name] for name in SCALES if name in self.parts), None)

    @property
    def is_plain(self) -> bool:
        """Whether the weights are stored as they were."""
        return "weight" in self.parts and self.parts["weight"].dtype in UNQUANTIZED

    @property
    def kind(self) -> str:
        """The group of tensors that it is counted with."""
        return next((kind for kind, found in KINDS if found.search(self.module)), "other")

    @property
    def held(self) -> str:
        """Its tensors in words."""
        return ", ".join(f"{name} {tensor.dtype}" for name, tensor in self.parts.items())


def list_linears(tensors: dict[str, Tensor], label: Label | None = None) -> tuple[Linear, ...]:
    """List the linear layers: two-dimensional weights that are no embedding."""
    groups: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        module, _, part = name.rpartition(".")
        if part in PARTS and not EMBEDDINGS.search(module):
            groups.setdefault(module, {})[part] = tensor
    shaped = (
        (module, parts, _shape(parts, label, module)) for module, parts in sorted(groups.items())
    )
    return tuple(Linear(module, shape, parts) for module, parts, shape in shaped if shape)


def _shape(parts: dict[str, Tensor], label: Label | None, module: str) -> tuple[int, int] | None:
    if "weight_shape" in parts and parts["weight_shape"].num_elements == 2:
        rows, columns = read_integers(parts["weight_shape"])
        return (int(rows), int(columns)) if any(name in parts for name in WEIGHTS) else None
    stored = next((parts[name] for name in WEIGHTS if name in parts), None)
    if stored is None or len(stored.shape) != 2:
        return None
    if "qweight" in parts:
        return _shape_of_qweight(parts, label, module)
    rows, columns = stored.shape
    if "weight_packed" not in parts:
        return rows, columns
    if stored.dtype == "U8":
        return rows, 2 * columns
    numbers = label.numbers_of(module) if label else None
    return (rows, columns * 32 // numbers.num_bits) if numbers else None


def _shape_of_qweight(
    parts: dict[str, Tensor], label: Label | None, module: str
) -> tuple[int, int] | None:
    """What is not packed says it; else the label's bits do."""
    rows, columns = parts["qweight"].shape
    numbers = label.numbers_of(module) if label else None
    bits = numbers.num_bits if numbers else 4
    if label is not None and label.method == "awq":
        scales = parts.get("scales")
        return (scales.shape[-1] if scales else columns * 32 // bits), rows
    index = parts.get("g_idx")
    return columns, (index.num_elements if index else rows * 32 // bits)


def read_linears(folder: Path) -> tuple[Linear, ...]:
    """List the linear layers of an unquantized folder, from its headers.

    Raises:
        BuildError: index, headers and bytes disagree.
    """
    return list_linears(read_tensors(folder))
