"""Checkpoints written by hand: two blocks of one 64 x 64 layer each, and an embedding."""

import json
from pathlib import Path

import numpy as np

from variants.audit import AuditFinding
from variants.specs.spec import Quantization

Stored = dict[str, tuple[str, list[int], bytes]]  # dtype, shape, content
ONE = b"\x80\x3f"  # 1.0 in bf16
INT8 = Quantization(scheme="int8_w8a8")
INT4 = Quantization(scheme="int4_w4a16")
FP8 = Quantization(scheme="fp8_dynamic")
LAYERS = ("model.layers.0.mlp.up_proj", "model.layers.1.mlp.up_proj")
UP, SCALE = f"{LAYERS[1]}.weight", f"{LAYERS[1]}.weight_scale"
CONFIG: dict[str, object] = {"hidden_size": 64, "num_hidden_layers": 2, "dtype": "bfloat16"}
SPECIALS: dict[str, object] = {"bos_token": "<s>", "eos_token": "</s>"}
VOCABULARY = {"<unk>": 0, "<s>": 1, "</s>": 2, "the": 3, "quick": 4}
TOKENIZER: dict[str, object] = {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
    "normalizer": None, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "<unk>"},
}  # fmt: skip


def write(path: Path, tensors: Stored) -> None:
    header, position = {"__metadata__": {"format": "pt"}}, 0
    for name, (dtype, shape, content) in tensors.items():
        offsets = [position, position + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}  # type: ignore[dict-item]
        position += len(content)
    text = json.dumps(header).encode()
    content = b"".join(content for _, _, content in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)


def noise(num_bytes: int) -> bytes:
    """Bytes that differ, and are finite in bf16 (below 0x7F80) and in FP8 (below 0x7F)."""
    return (np.arange(num_bytes) % 61).astype(np.uint8).tobytes()


def rest() -> Stored:
    norms: Stored = {f"model.layers.{i}.norm.weight": ("BF16", [64], ONE * 64) for i in range(2)}
    return {"model.embed_tokens.weight": ("BF16", [100, 64], noise(12800)), **norms}


def bf16() -> Stored:
    return rest() | {f"{name}.weight": ("BF16", [64, 64], noise(8192)) for name in LAYERS}


def eight_bits(dtype: str = "I8") -> Stored:
    tensors = rest()
    for name in LAYERS:
        tensors[f"{name}.weight"] = (dtype, [64, 64], noise(4096))
        tensors[f"{name}.weight_scale"] = ("BF16", [64, 1], ONE * 64)
    return tensors


def int4(num_groups: int = 1) -> Stored:
    tensors = rest()
    for name in LAYERS:
        tensors[f"{name}.weight_packed"] = ("I32", [64, 8], noise(2048))
        tensors[f"{name}.weight_scale"] = ("BF16", [64, num_groups], ONE * 64 * num_groups)
        shape = np.array([64, 64], "<i8").tobytes()
        tensors[f"{name}.weight_shape"] = ("I64", [2], shape)
    return tensors


def weights_of(num_bits: int, kind: str, group: int | None = None) -> dict[str, object]:
    strategy = "group" if group else "channel"
    return {"num_bits": num_bits, "type": kind, "strategy": strategy, "group_size": group}


def label(
    num_bits: int = 8, kind: str = "int", activations: int | None = 8, group: int | None = None
) -> dict[str, object]:
    inputs = {"num_bits": activations, "type": kind, "strategy": "token", "dynamic": True}
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "weights": weights_of(num_bits, kind, group),
                "input_activations": inputs if activations else None,
            }
        },
        "ignore": [],
    }


def artifact(
    folder: Path, tensors: Stored, quantization_config: object = None, **config: object
) -> Path:
    folder.mkdir()
    quantized = {"quantization_config": quantization_config} if quantization_config else {}
    files: dict[str, dict[str, object]] = {
        "config.json": {"tie_word_embeddings": True, **CONFIG, **quantized, **config},
        "tokenizer.json": TOKENIZER,
        "tokenizer_config.json": SPECIALS,
        "generation_config.json": {"eos_token_id": 2, "transformers_version": folder.name},
    }
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    (folder / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    write(folder / "model.safetensors", tensors)
    return folder


def failed(findings: tuple[AuditFinding, ...]) -> dict[str, str]:
    return {finding.name: finding.reason for finding in findings if not finding.passed}


def only(findings: tuple[AuditFinding, ...], name: str) -> str:
    """Return the one failure's reason; any other failure is one too many."""
    reasons = failed(findings)
    assert list(reasons) == [name], reasons
    return reasons[name]
