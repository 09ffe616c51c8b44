"""How each method stores its weights: whole checkpoints pass, and lost parts are told."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.variants.audit.checkpoints import (
    LAYERS,
    ONE,
    Stored,
    artifact,
    eight_bits,
    failed,
    label,
    noise,
    only,
    rest,
)
from variants.audit import audit_by_label, effective_bits

HALF = b"\x00\x3c"  # 1.0 in f16


def each(parts: Stored) -> Stored:
    """Give both layers the same parts."""
    return rest() | {f"{name}.{part}": stored for name in LAYERS for part, stored in parts.items()}


GPTQ: Stored = {  # 4 bits, groups of 32: 8 weights a word along the input
    "qweight": ("I32", [8, 64], noise(2048)),
    "qzeros": ("I32", [2, 8], noise(64)),
    "scales": ("F16", [2, 64], HALF * 128),
    "g_idx": ("I32", [64], np.repeat(np.arange(2, dtype="<i4"), 32).tobytes()),
}
AWQ: Stored = {  # 8 weights a word along the output
    "qweight": ("I32", [64, 8], noise(2048)),
    "qzeros": ("I32", [2, 8], noise(64)),
    "scales": ("F16", [2, 64], HALF * 128),
}
BLOCKS: Stored = {
    "weight": ("F8_E4M3", [64, 64], noise(4096)),
    "weight_scale_inv": ("F32", [2, 2], np.ones(4, "<f4").tobytes()),
}
STATIC: Stored = {
    "weight": ("F8_E4M3", [64, 64], noise(4096)),
    "weight_scale": ("F32", [1], np.ones(1, "<f4").tobytes()),
    "input_scale": ("F32", [1], np.ones(1, "<f4").tobytes()),
}
NVFP4: Stored = {  # two 4-bit floats a byte, one FP8 scale for 16, one float for the whole
    "weight_packed": ("U8", [64, 32], noise(2048)),
    "weight_scale": ("F8_E4M3", [64, 4], b"\x38" * 256),
    "weight_global_scale": ("F32", [1], np.ones(1, "<f4").tobytes()),
}
MXFP4: Stored = {  # scales are powers of two, kept as bytes: 0x7F is 1
    "weight_packed": ("U8", [64, 32], noise(2048)),
    "weight_scale": ("U8", [64, 2], b"\x7f" * 128),
}


def compressed(weights: dict[str, Any], inputs: dict[str, Any] | None = None) -> dict[str, Any]:
    told: dict[str, Any] = label()
    told["config_groups"]["group_0"] |= {"weights": weights, "input_activations": inputs}
    return told


OF_GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 32, "sym": True, "desc_act": False}
OF_AWQ = {"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": True,
          "modules_to_not_convert": ["visual"]}  # fmt: skip
OF_BLOCKS = {"quant_method": "fp8", "weight_block_size": [32, 32]}
OF_STATIC = {"quant_method": "fp8", "activation_scheme": "static"}
OF_AUTOROUND = {**OF_GPTQ, "quant_method": "auto-round", "packing_format": "auto_round:auto_gptq"}
FP4 = {"num_bits": 4, "type": "float", "group_size": 16, "strategy": "tensor_group"}
OF_NVFP4 = compressed(FP4)
OF_MXFP4 = compressed({**FP4, "group_size": 32, "strategy": "group"})
FP8_TENSOR = {"num_bits": 8, "type": "float", "strategy": "tensor"}
OF_FP8 = compressed(FP8_TENSOR, {"num_bits": 8, "type": "float", "dynamic": False})
WHOLE = [
    (GPTQ, OF_GPTQ, 8 * (2048 + 64 + 256 + 256) / 4096),
    (GPTQ, OF_AUTOROUND, 8 * (2048 + 64 + 256 + 256) / 4096),
    (AWQ, OF_AWQ | {"modules_to_not_convert": None}, 8 * (2048 + 64 + 256) / 4096),
    (BLOCKS, OF_BLOCKS, 8 + 8 * 16 / 4096),
    (STATIC, OF_STATIC, 8 + 8 * 8 / 4096),
    (STATIC, OF_FP8, 8 + 8 * 8 / 4096),
    (NVFP4, OF_NVFP4, 4 + 8 / 16 + 32 / 4096),
    (MXFP4, OF_MXFP4, 4 + 8 / 32),
]


@pytest.mark.parametrize(("parts", "told", "bits"), WHOLE)
def test_whole_checkpoints_pass(
    tmp_path: Path, base: Path, parts: Stored, told: dict[str, Any], bits: float
) -> None:
    folder = artifact(tmp_path / "artifact", each(parts), told)
    assert failed(audit_by_label(folder, base)) == {}
    assert effective_bits(folder) == bits


@pytest.mark.parametrize(
    ("parts", "told", "lost", "check", "words"),
    [
        (GPTQ, OF_GPTQ, "scales", "scales", "(layer 1) has no scales"),
        (AWQ, OF_AWQ, "qzeros", "scales", "(layer 1) has no qzeros"),
        (BLOCKS, OF_BLOCKS, "weight_scale_inv", "scales", "has no weight_scale_inv or"),
        (STATIC, OF_STATIC, "input_scale", "scales", "has no input_scale or"),
        (STATIC, OF_FP8, "input_scale", "scales", "has no input_scale or"),
        (NVFP4, OF_NVFP4, "weight_global_scale", "scales", "has no weight_global_scale"),
        (GPTQ, OF_GPTQ, "qweight", "inventory", f"{LAYERS[1]}.weight is missing"),
    ],
)
def test_a_lost_part_is_told(
    tmp_path: Path, base: Path, parts: Stored, told: dict[str, Any], lost: str, check: str,
    words: str,
) -> None:  # fmt: skip
    tensors = each(parts)
    del tensors[f"{LAYERS[1]}.{lost}"]
    told = told | ({"modules_to_not_convert": None} if told is OF_AWQ else {})
    folder = artifact(tmp_path / "artifact", tensors, told)
    assert words in only(audit_by_label(folder, base), check)


def test_fp8_tensors_under_a_label_of_nvfp4_are_told(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", eight_bits("F8_E4M3"), OF_NVFP4)
    assert "stores 8.2500 bits per weight" in only(audit_by_label(folder, base), "bits")


def test_what_lies_outside_of_the_blocks_is_no_business_of_gptq(tmp_path: Path) -> None:
    tensors = each(GPTQ) | {"lm_head.weight": ("BF16", [100, 64], noise(12800))}
    folder = artifact(tmp_path / "artifact", tensors, OF_GPTQ, tie_word_embeddings=False)
    assert failed(audit_by_label(folder, None)) == {}
    folder = artifact(
        tmp_path / "head", tensors, OF_GPTQ | {"lm_head": True}, tie_word_embeddings=False
    )
    assert "lm_head has weight BF16" in only(audit_by_label(folder, None), "coverage")


EXPERT = "model.layers.1.mlp.experts.7.down_proj"


def of_experts(scale: bytes | None) -> Stored:
    tensors = eight_bits()
    tensors[f"{EXPERT}.weight"] = ("I8", [64, 64], noise(4096))
    if scale is not None:
        tensors[f"{EXPERT}.weight_scale"] = ("BF16", [64, 1], scale)
    return tensors


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (None, "(layer 1, expert 7) has no weight_scale"),
        (ONE * 62 + b"\0\0\xc0\x7f", "(layer 1, expert 7) holds 1 NaN, 1 zero of 64"),
    ],
)
def test_scales_are_told_expert_by_expert(tmp_path: Path, scale: bytes | None, words: str) -> None:
    folder = artifact(tmp_path / "artifact", of_experts(scale), label())
    assert words in only(audit_by_label(folder, None), "scales")


def test_scales_of_all_experts_in_one_tensor_are_told_apart(tmp_path: Path) -> None:
    scale = ONE * 16 + ONE * 15 + b"\0\0" + ONE * 16
    tensors = eight_bits() | {"model.layers.0.mlp.experts.up_scale": ("BF16", [3, 16, 1], scale)}
    reason = only(audit_by_label(artifact(tmp_path / "a", tensors, label()), None), "scales")
    assert reason == (
        "model.layers.0.mlp.experts.up_scale (layer 0) (experts 1) holds 1 zero of 48"
    )


def test_experts_in_one_unquantized_tensor_are_not_passed_over(tmp_path: Path) -> None:
    fused = {"model.layers.0.mlp.experts.gate_up_proj": ("BF16", [2, 8, 8], noise(256))}
    tensors: Stored = eight_bits() | fused  # type: ignore[operator]
    folder = artifact(tmp_path / "artifact", tensors, label())
    assert "holds all experts of a layer in BF16" in only(audit_by_label(folder, None), "coverage")


ATTENTION = "model.layers.{}.self_attn"


def with_kv(*lost: str, kv: dict[str, Any] | None = None) -> tuple[Stored, dict[str, Any]]:
    tensors = eight_bits()
    for i in range(2):
        tensors[f"{ATTENTION.format(i)}.k_proj.weight"] = ("I8", [64, 64], noise(4096))
        tensors[f"{ATTENTION.format(i)}.k_proj.weight_scale"] = ("BF16", [64, 1], ONE * 64)
        for part in "kv":
            tensors[f"{ATTENTION.format(i)}.{part}_scale"] = ("BF16", [1], ONE)
    left = {name: stored for name, stored in tensors.items() if name not in lost}
    return left, label() | {"kv_cache_scheme": kv}


KV = {"num_bits": 8, "type": "float", "strategy": "tensor", "dynamic": False}
V_SCALE = f"{ATTENTION.format(1)}.v_scale"


def test_scales_of_the_kv_cache_are_asked_by_its_data_type(tmp_path: Path) -> None:
    tensors, told = with_kv(kv=KV)
    folder = artifact(tmp_path / "whole", tensors, told)
    assert failed(audit_by_label(folder, None)) == {}
    tensors, told = with_kv(V_SCALE, kv=KV)
    reason = only(audit_by_label(artifact(tmp_path / "lost", tensors, told), None), "kv scales")
    assert f"{ATTENTION.format(1)} has no v_scale" in reason
    for name, kv in (("unasked", None), ("dynamic", KV | {"dynamic": True})):
        tensors, told = with_kv(kv=kv)
        reason = only(audit_by_label(artifact(tmp_path / name, tensors, told), None), "kv scales")
        assert f"{ATTENTION.format(0)} has a k_scale" in reason


def test_a_zero_scale_of_the_kv_cache_is_told_by_the_scales(tmp_path: Path) -> None:
    tensors, told = with_kv(kv=KV)
    tensors[V_SCALE] = ("BF16", [1], b"\0\0")
    folder = artifact(tmp_path / "artifact", tensors, told)
    assert f"{V_SCALE} (layer 1) holds 1 zero of 1" in only(audit_by_label(folder, None), "scales")
