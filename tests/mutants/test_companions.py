"""Faults beside the weights, on files written by hand."""

import json
import random
from pathlib import Path

import pytest

from tests.mutants.companions import TEMPLATES, drop_bos, shuffle_ids, swap_template
from variants.audit.companions import check_companions

VOCABULARY = {"<s>": 0, "</s>": 1, "a": 2, "b": 3, "c": 4, "d": 5}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write(tmp_path / "base")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return write(tmp_path / "copy")


def write(folder: Path) -> Path:
    folder.mkdir()
    special = [{"id": 0, "content": "<s>"}, {"id": 1, "content": "</s>"}]
    tokenizer = {"added_tokens": special, "model": {"type": "BPE", "vocab": VOCABULARY}}
    settings = {"bos_token": "<s>", "bos_token_id": 0, "eos_token": "</s>"}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "config.json").write_text("{}")
    (folder / "chat_template.jinja").write_text("{{ messages[0]['content'] }}")
    return folder


def failed(copy: Path, base: Path) -> list[str]:
    return [one.name for one in check_companions(copy, base) if not one.passed]


def test_the_copy_is_sound_before_it_is_spoilt(copy: Path, base: Path) -> None:
    assert failed(copy, base) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_audit_sees_another_template(copy: Path, base: Path, seed: int) -> None:
    told = swap_template(copy, random.Random(seed))
    assert (copy / "chat_template.jinja").read_text() == TEMPLATES[told.split("template ")[1]]
    assert failed(copy, base) == ["chat template"]


def test_bos_is_dropped_or_replaced_and_the_audit_sees_either(tmp_path: Path, base: Path) -> None:
    told = set()
    for seed in range(10):
        copy = write(tmp_path / f"copy-{seed}")
        told.add(drop_bos(copy, random.Random(seed)))
        assert failed(copy, base) == ["special tokens"]
    assert told == {"no BOS <s>", "BOS is </s> instead of <s>"}


def test_ordinary_ids_are_shuffled_and_special_ones_stay(copy: Path, base: Path) -> None:
    assert shuffle_ids(copy, random.Random(0)) == "the ids of 4 tokens passed on in a ring"
    found = json.loads((copy / "tokenizer.json").read_text())["model"]["vocab"]
    assert (found["<s>"], found["</s>"]) == (0, 1)
    assert sorted(found.values()) == [0, 1, 2, 3, 4, 5]
    assert all(found[token] != VOCABULARY[token] for token in "abcd")
    assert failed(copy, base) == ["tokenizer"]
