"""Adapters and a base written by hand: two layers of 8 x 4 (out x in), rank 2."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

Stored = dict[str, tuple[str, list[int], bytes]]  # dtype, shape, content
LAYERS = ("model.layers.0.mlp.up_proj", "model.layers.1.mlp.up_proj")
OUT, INTO, RANK = 8, 4, 2


def write(path: Path, tensors: Stored) -> None:
    header: dict[str, object] = {}
    position = 0
    for name, (dtype, shape, content) in tensors.items():
        offsets = [position, position + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        position += len(content)
    text = json.dumps(header).encode()
    content = b"".join(content for _, _, content in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)


def f32(*shape: int, value: float = 0.01) -> tuple[str, list[int], bytes]:
    return "F32", list(shape), np.full(shape, value, "<f4").tobytes()


def matrices(layers: tuple[str, ...] = LAYERS, rank: int = RANK) -> Stored:
    stored: Stored = {}
    for layer in layers:
        stored[f"base_model.model.{layer}.lora_A.weight"] = f32(rank, INTO)
        stored[f"base_model.model.{layer}.lora_B.weight"] = f32(OUT, rank)
    return stored


def settings(**changed: object) -> dict[str, object]:
    return {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": "acme/toy",
        "r": RANK,
        "lora_alpha": 4,
        "target_modules": ["up_proj"],
        "modules_to_save": None,
        "use_dora": False,
        "lora_dropout": 0.05,
        **changed,
    }


def adapter(
    folder: Path,
    tensors: Stored | None = None,
    said: Mapping[str, object] | None = None,
    card: str = "---\nlicense: apache-2.0\n---\n# Poet\n",
) -> Path:
    folder.mkdir(parents=True)
    write(folder / "adapter_model.safetensors", matrices() if tensors is None else tensors)
    (folder / "adapter_config.json").write_text(json.dumps(said or settings()))
    (folder / "README.md").write_text(card)
    return folder


def base(folder: Path) -> Path:
    folder.mkdir(parents=True)
    words = np.full((OUT, INTO), 0x3C00, "<u2").tobytes()
    write(
        folder / "model.safetensors",
        {f"{name}.weight": ("BF16", [OUT, INTO], words) for name in LAYERS},
    )
    (folder / "config.json").write_text(json.dumps({"dtype": "bfloat16"}))
    return folder
