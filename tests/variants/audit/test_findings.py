"""Every finding: a checkpoint with one fault is caught by the right check, and by no other."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.variants.audit.checkpoints import (
    FP8,
    INT4,
    INT8,
    LAYERS,
    ONE,
    SCALE,
    UP,
    Stored,
    artifact,
    bf16,
    eight_bits,
    failed,
    int4,
    label,
    noise,
    only,
    weights_of,
)
from variants.audit import audit_artifact, audit_by_label, effective_bits, weight_bytes
from variants.specs.spec import Quantization


@pytest.mark.parametrize(
    ("tensors", "quantization_config", "quantization", "bits"),
    [
        (bf16(), None, None, 16.0),
        (eight_bits("I8"), label(8, "int", 8), INT8, 8.25),  # 8 + 16 / 64
        (eight_bits("F8_E4M3"), label(8, "float", 8), FP8, 8.25),
        (int4(), label(4, "int", None), INT4, 4.28125),  # 4 + 16 / 64 + 128 / 4096
        (
            int4(num_groups=2),
            label(4, "int", None, group=32),
            INT4.model_copy(update={"group_size": 32}),
            4.53125,  # 4 + 16 / 32 + 128 / 4096
        ),
    ],
)
def test_whole_artifacts_pass(
    tmp_path: Path,
    base: Path,
    tensors: Stored,
    quantization_config: object,
    quantization: Quantization | None,
    bits: float,
) -> None:
    folder = artifact(tmp_path / "artifact", tensors, quantization_config)
    asked = quantization and quantization.model_copy(update={"ignore": ("lm_head",)})
    assert failed(audit_artifact(folder, base, asked)) == {}
    assert failed(audit_by_label(folder, base)) == {}
    assert failed(audit_by_label(folder, None)) == {}
    assert effective_bits(folder) == bits
    assert weight_bytes(folder) == sum(len(content) for _, _, content in tensors.values())


SPOILT = {"zero": b"\0\0", "NaN": b"\xc0\x7f", "negative": b"\x80\xbf", "infinite": b"\x80\x7f"}


@pytest.mark.parametrize(
    ("name", "stored", "check", "words"),
    [
        (UP, None, "inventory", f"{UP} is missing"),
        (UP, ("BF16", [64, 64], noise(8192)), "coverage", "was not quantized"),
        (UP, ("I8", [64, 32], noise(2048)), "inventory", r"is \[64, 32\], in the base \[64, 64\]"),
        (UP, ("I8", [64, 64], bytes(4096)), "constant", "one byte 0x00"),
        (UP, ("F8_E4M3", [64, 64], noise(4096)), "dtype", "weight F8_E4M3, weight_scale BF16, not"),
        (SCALE, None, "scales", rf"{LAYERS[1]} \(layer 1\) has no weight_scale"),
        (SCALE, ("BF16", [32, 1], ONE * 32), "scales", r"scales \[32, 1\], expected \[64, 1\]"),
        *((SCALE, ("BF16", [64, 1], ONE * 63 + spoilt), "scales", rf"1\) holds 1 {kind} of 64")
          for kind, spoilt in SPOILT.items()),
        (SCALE, ("F32", [64, 1], np.full(64, np.inf, "<f4").tobytes()), "scales", "64 infinite"),
        (SCALE, ("F16", [64, 1], np.zeros(64, "<f2").tobytes()), "scales", "64 zero"),
        (SCALE, ("I16", [64, 1], noise(128)), "scales", "no number format of scales"),
        ("model.layers.0.norm.weight", ("BF16", [64], ONE * 63 + SPOILT["NaN"]), "finite", "1 NaN"),
        ("model.layers.0.norm.weight", ("F32", [64], noise(256)), "dtype", "is F32"),
        ("model.extra.weight", ("BF16", [4], ONE * 4), "inventory", "is not in the base"),
    ],
)  # fmt: skip
def test_damage_to_a_tensor_fails_its_check_alone(
    tmp_path: Path,
    base: Path,
    name: str,
    stored: tuple[str, list[int], bytes] | None,
    check: str,
    words: str,
) -> None:
    tensors = eight_bits("I8")
    if stored is None:
        del tensors[name]
    else:
        tensors[name] = stored
    folder = artifact(tmp_path / "artifact", tensors, label(8, "int", 8))
    assert re.search(words, only(audit_artifact(folder, base, INT8), check))


def test_scales_of_4_bit_integers_may_be_below_zero_as_autoround_writes_them(
    tmp_path: Path, base: Path
) -> None:
    tensors = int4() | {SCALE: ("BF16", [64, 1], ONE * 63 + SPOILT["negative"])}
    folder = artifact(tmp_path / "artifact", tensors, label(4, "int", None))
    assert failed(audit_artifact(folder, base, INT4)) == {}
    tensors |= {SCALE: ("BF16", [64, 1], ONE * 63 + SPOILT["zero"])}
    folder = artifact(tmp_path / "silent", tensors, label(4, "int", None))
    assert "1 zero" in only(audit_artifact(folder, base, INT4), "scales")


def test_a_label_of_4_bits_over_tensors_of_8_is_told_by_the_bits(
    tmp_path: Path, base: Path
) -> None:
    folder = artifact(tmp_path / "artifact", eight_bits("I8"), label(4, "int", None))
    assert "stores 8.2500 bits per weight" in only(audit_artifact(folder, base, INT4), "bits")
    assert "expected 4 to" in only(audit_by_label(folder, base), "bits")


def test_untouched_weights_under_a_quantized_label_are_told_by_the_coverage(
    tmp_path: Path, base: Path
) -> None:
    folder = artifact(tmp_path / "artifact", bf16(), label(8, "int", 8))
    assert "was not quantized" in only(audit_artifact(folder, base, INT8), "coverage")


def test_a_second_copy_of_tied_embeddings_is_told(tmp_path: Path, base: Path) -> None:
    tensors = eight_bits("I8") | {"lm_head.weight": ("BF16", [100, 64], noise(12800))}
    quantization = label(8, "int", 8) | {"ignore": ["lm_head"]}
    folder = artifact(tmp_path / "artifact", tensors, quantization)
    for findings in (audit_artifact(folder, base, INT8), audit_by_label(folder, None)):
        assert "lm_head.weight adds 12,800 bytes" in only(findings, "tied weights")


def test_a_head_that_is_neither_stored_nor_tied_is_told(tmp_path: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16(), tie_word_embeddings=False)
    assert "random weights" in only(audit_by_label(folder, None), "tied weights")


def changed(**fields: Any) -> dict[str, object]:
    told: dict[str, Any] = label(8, "int", 8)
    told["config_groups"]["group_0"] |= fields
    return told


def test_targets_that_match_nothing_are_told_by_the_patterns(tmp_path: Path, base: Path) -> None:
    told = changed(targets=["re:.*up_porj$"])
    folder = artifact(tmp_path / "artifact", bf16(), told)
    assert "'re:.*up_porj$' matches no layer" in only(audit_by_label(folder, base), "patterns")


def test_exceptions_that_match_nothing_are_told(tmp_path: Path, base: Path) -> None:
    told = label(8, "int", 8) | {"ignore": ["lm_head", "re:.*visual.*"]}
    folder = artifact(tmp_path / "artifact", eight_bits("I8"), told)
    assert "'re:.*visual.*' matches no layer" in only(audit_by_label(folder, base), "patterns")
    resolved = artifact(tmp_path / "resolved", eight_bits("I8"), label(8, "int", 8))
    recipe = INT8.model_copy(update={"ignore": ("lm_head", "re:.*vision")})
    assert "'re:.*vision'" in only(audit_artifact(resolved, base, recipe), "patterns")


def test_exceptions_that_leave_nothing_are_told(tmp_path: Path, base: Path) -> None:
    told = label(8, "int", 8) | {"ignore": ["re:.*proj"]}
    folder = artifact(tmp_path / "artifact", bf16(), told)
    assert "leave no linear layer" in only(audit_by_label(folder, base), "patterns")


def test_another_class_as_a_target_is_not_looked_up(tmp_path: Path, base: Path) -> None:
    told = changed(targets=["Linear", "LlamaAttention"])
    folder = artifact(tmp_path / "artifact", eight_bits("I8"), told)
    assert failed(audit_by_label(folder, base)) == {}


def test_mixed_precision_is_judged_layer_by_layer(tmp_path: Path, base: Path) -> None:
    tensors = int4() | {
        name: stored for name, stored in eight_bits("I8").items() if "layers.1" in name
    }
    del tensors[f"{LAYERS[1]}.weight_packed"], tensors[f"{LAYERS[1]}.weight_shape"]
    told: dict[str, Any] = label(4, "int", None)
    told["config_groups"]["group_1"] = {
        "targets": ["re:.*layers[.]1[.].*"],
        "weights": weights_of(8, "int"),
    }
    folder = artifact(tmp_path / "artifact", tensors, told)
    assert failed(audit_by_label(folder, base)) == {}
    swapped = told["config_groups"]["group_1"] | {"targets": [LAYERS[0]]}
    told["config_groups"]["group_1"] = swapped
    folder = artifact(tmp_path / "swapped", tensors, told)
    reason = only(audit_by_label(folder, base), "bits")
    assert f"{LAYERS[0]} stores 4.2812" in reason
    assert f"{LAYERS[1]} stores 8.2500" in reason


def test_bits_are_told_per_group_of_tensors(tmp_path: Path) -> None:
    tensors = eight_bits("I8") | {
        "model.layers.0.self_attn.q_proj.weight": ("BF16", [64, 64], noise(8192))
    }
    told = label(8, "int", 8) | {"ignore": ["re:.*q_proj"]}
    findings = audit_by_label(artifact(tmp_path / "artifact", tensors, told), None)
    values = next(one.values for one in findings if one.name == "bits")
    assert values["feed_forward_bits"] == 8.25
    assert values["attention_bits"] == 16.0
    # linears 2 x 4,224 + 8,192 = 16,640 bytes; embedding 12,800 and norms 256 beside them
    assert values["other_bytes_share"] == pytest.approx(13_056 / (13_056 + 16_640))


def test_the_text_part_of_a_model_may_say_the_dtype(tmp_path: Path) -> None:
    folder = artifact(tmp_path / "a", bf16(), dtype=None, text_config={"dtype": "bfloat16"})
    assert failed(audit_by_label(folder, None)) == {}
    folder = artifact(tmp_path / "b", bf16(), dtype=None, text_config={"dtype": "float16"})
    assert "config.json says float16" in only(audit_by_label(folder, None), "dtype")


def test_where_the_config_is_silent_a_head_may_be_the_embeddings(tmp_path: Path) -> None:
    told = label() | {"ignore": ["lm_head"]}
    folder = artifact(tmp_path / "a", eight_bits(), told, tie_word_embeddings=None)
    assert failed(audit_by_label(folder, None)) == {}
