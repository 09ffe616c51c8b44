"""An artifact's tensors and linear layers, as its headers give them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from variants.audit.safetensors import Tensor, read_header, read_integers
from variants.errors import BuildError

INDEX = "model.safetensors.index.json"
EMBEDDINGS = re.compile(
    r"(^|\.)(embed_tokens|embed_positions|word_embeddings|wte|wpe|embeddings?)$"
)
# What compressed-tensors stores beside a quantized weight (compressors/quantized_compressors).
PARTS = (
    "weight",
    "weight_packed",
    "weight_scale",
    "weight_zero_point",
    "weight_shape",
    "weight_g_idx",
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


def read_config(folder: Path) -> dict[str, object]:
    """Read config.json.

    Raises:
        BuildError: it is missing or no JSON object.
    """
    return read_json(folder / "config.json")


def read_json(path: Path) -> dict[str, object]:
    """Read a JSON object.

    Raises:
        BuildError: it is missing or no JSON object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BuildError(
            f"{path} cannot be read ({problem}); build the artifact again"
        ) from problem
    if not isinstance(value, dict):
        raise BuildError(f"{path} holds no JSON object; build the artifact again")
    return value


def read_tensors(folder: Path) -> dict[str, Tensor]:
    """Read the headers of every file that the index names, or of all files where there is none.

    Raises:
        BuildError: index, headers and bytes disagree.
    """
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise BuildError(f"{folder} has no *.safetensors file; build the artifact again")
    tensors: dict[str, Tensor] = {}
    for tensor in (tensor for path in files for tensor in read_header(path)):
        if tensor.name in tensors:
            both = f"{tensors[tensor.name].path.name} and {tensor.path.name}"
            raise BuildError(f"{tensor.name} is in {both}; remove the file that is not meant")
        tensors[tensor.name] = tensor
    if (folder / INDEX).exists() or len(files) > 1:
        _require_index(folder, tensors)
    return tensors


def _require_index(folder: Path, tensors: dict[str, Tensor]) -> None:
    weight_map = read_json(folder / INDEX).get("weight_map")
    if not isinstance(weight_map, dict):
        raise BuildError(f"{folder / INDEX} has no weight_map; build the artifact again")
    held = {name: tensor.path.name for name, tensor in tensors.items()}
    if differing := sorted({name for name, _ in held.items() ^ weight_map.items()}):
        raise BuildError(
            f"{folder / INDEX} and the files disagree on {len(differing)} tensors, "
            f"the first {differing[0]}; build the artifact again"
        )


def list_linears(tensors: dict[str, Tensor], num_bits: int | None = None) -> tuple[Linear, ...]:
    """List the linear layers: two-dimensional weights that are no embedding.

    `num_bits` unpacks the shape of a packed weight that comes without a weight_shape.
    """
    groups: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        module, _, part = name.rpartition(".")
        if part in PARTS and not EMBEDDINGS.search(module):
            groups.setdefault(module, {})[part] = tensor
    shaped = ((module, parts, _shape(parts, num_bits)) for module, parts in sorted(groups.items()))
    return tuple(Linear(module, shape, parts) for module, parts, shape in shaped if shape)


def _shape(parts: dict[str, Tensor], num_bits: int | None) -> tuple[int, int] | None:
    if "weight" in parts:
        shape = parts["weight"].shape
        return (shape[0], shape[1]) if len(shape) == 2 else None
    if "weight_shape" in parts and parts["weight_shape"].num_elements == 2:
        rows, columns = read_integers(parts["weight_shape"])
        return int(rows), int(columns)
    if "weight_packed" in parts and num_bits:
        rows, words = parts["weight_packed"].shape
        return rows, words * 32 // num_bits
    return None


def read_linears(folder: Path) -> tuple[Linear, ...]:
    """List the linear layers of an unquantized folder, from its headers.

    Raises:
        BuildError: index, headers and bytes disagree.
    """
    return list_linears(read_tensors(folder))
