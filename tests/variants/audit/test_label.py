from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import (
    FP8,
    INT4,
    INT8,
    Stored,
    artifact,
    bf16,
    eight_bits,
    failed,
    int4,
    label,
    only,
)
from variants.audit import audit_artifact, audit_by_label
from variants.audit.label import Group, Label, Numbers
from variants.audit.names import check_name
from variants.specs.spec import Quantization

BY_32 = INT4.model_copy(update={"group_size": 32})


@pytest.mark.parametrize(
    ("tensors", "quantization_config", "quantization", "checks"),
    [
        (eight_bits("I8"), label(4, "int", None), INT4, {"bits"}),  # 8 bits, called 4
        (bf16(), label(8, "int", 8), INT8, {"coverage"}),  # never quantized
        (bf16(), None, INT8, {"label", "coverage"}),
        (eight_bits("I8"), label(8, "int", 8), None, {"label", "coverage"}),
        (eight_bits("I8"), label(8, "int", None), INT8, {"label"}),  # W8A16, asked W8A8
        (eight_bits("F8_E4M3"), label(8, "int", 8), INT8, {"dtype"}),
        (eight_bits("F8_E4M3"), label(8, "int", 8), FP8, {"label"}),
        (int4(), label(4, "int", None, group=32), INT4, {"label"}),
        (int4(), label(4, "int", None, group=32), BY_32, {"scales"}),
    ],
)
def test_a_label_that_is_not_true_fails(
    tmp_path: Path,
    base: Path,
    tensors: Stored,
    quantization_config: object,
    quantization: Quantization | None,
    checks: set[str],
) -> None:
    folder = artifact(tmp_path / "artifact", tensors, quantization_config)
    assert failed(audit_artifact(folder, base, quantization)).keys() == checks


@pytest.mark.parametrize(
    ("quantization_config", "words"),
    [
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "'bitsandbytes': its weights lie"),
        ({"quant_method": "gguf"}, "another format"),
        ({"quant_method": "hqq"}, "'hqq': its storage is not known"),
        ({"quant_method": "gptq", "bits": 5, "group_size": 128}, "bits"),
        ({"quant_method": "compressed-tensors", "config_groups": {}}, "config_groups"),
        (label(8, "complex", 8), "type"),
        (label(8, "int", 8) | {"ignore": ["re:(["]}, "is no pattern"),
        ("int8", "no object"),
    ],
)
def test_a_label_that_is_not_understood_is_named(
    tmp_path: Path, base: Path, quantization_config: object, words: str
) -> None:
    folder = artifact(tmp_path / "artifact", eight_bits("I8"), quantization_config)
    reason = only(audit_artifact(folder, base, INT8), "structure")
    assert "quantization_config" in reason
    assert words in reason


def test_the_most_specific_target_decides() -> None:
    groups = [
        Group(("Linear",), Numbers(4, "int")),
        Group(("re:.*down_proj$",), Numbers(8, "int")),
        Group(("a.down_proj",), Numbers(8, "float")),
    ]
    for order in (groups, groups[::-1]):
        mixed = Label(tuple(order), ignore=("lm_head",))
        bits = {
            name: mixed.numbers_of(name)
            for name in ("q_proj", "b.down_proj", "a.down_proj", "lm_head")
        }
        assert [str(one)[:6] for one in bits.values()] == ["int4 i", "int8 i", "float8", "None"]


@pytest.mark.parametrize(
    ("name", "told", "is_kept"),
    [
        ("Llama-3.1-8B-Instruct-FP8", None, False),
        ("Llama-3.1-8B-Instruct-FP8", Numbers(8, "float"), True),
        ("Llama-3.1-8B-Instruct-FP8-dynamic", Numbers(8, "int"), False),
        ("hf://org/Qwen3-8B-AWQ@main", Numbers(4, "int"), True),
        ("Qwen3-8B-GPTQ-Int4", Numbers(4, "int"), True),
        ("Qwen3-8B-GPTQ-Int8", Numbers(8, "int"), True),
        ("Qwen3-8B-NVFP4", Numbers(8, "float"), False),
        ("model-4bit", None, False),
        ("Qwen3-8B", None, True),
        ("tfp8er", None, True),  # a part of a word is none of a name
    ],
)
def test_a_name_is_held_to_what_it_promises(name: str, told: Numbers | None, is_kept: bool) -> None:
    finding = check_name(name, Label((Group(("Linear",), told),)) if told else None)
    assert finding.passed == is_kept


def test_a_folder_called_fp8_without_a_label_is_told(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "toy-FP8", bf16())
    assert "'fp8', config.json unquantized" in only(audit_by_label(folder, base), "name")
