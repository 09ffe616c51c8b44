"""Each companion that differs from the base's is told by its own check, and by no other."""

import json
from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import (
    CONFIG,
    SPECIALS,
    TOKENIZER,
    VOCABULARY,
    artifact,
    bf16,
    failed,
    only,
)
from variants.audit import audit_artifact

TOOLS = "additional_chat_templates/tool_use.jinja"
TIED = CONFIG | {"tie_word_embeddings": True}


def with_vocabulary(**more: int) -> str:
    model = {"type": "WordLevel", "vocab": VOCABULARY | more, "unk_token": "<unk>"}
    return json.dumps(TOKENIZER | {"model": model})


@pytest.mark.parametrize(
    ("file", "content", "check", "words"),
    [
        ("chat_template.jinja", "{{ messages[0] }}", "chat template", "differs from character 11"),
        ("chat_template.jinja", None, "chat template", "only the base has a chat template"),
        (TOOLS, "{{ tools }}", "chat template", "tool_use"),
        ("tokenizer.json", with_vocabulary(unseen=5), "tokenizer", "model is"),
        ("tokenizer.json", None, "tokenizer", "only the base has tokenizer.json"),
        ("tokenizer_config.json", '{"bos_token": "<s>"}', "special tokens", "eos_token is None"),
        ("tokenizer_config.json", json.dumps(SPECIALS | {"eos_token": "<|end|>"}),
         "special tokens", "eos_token is '<|end|>', in the base '</s>'"),
        ("generation_config.json", '{"eos_token_id": 3}', "generation config", "eos_token_id is 3"),
        ("generation_config.json", None, "generation config", "only the base has"),
        ("config.json", json.dumps(TIED | {"hidden_size": 65}), "config", "hidden_size is 65"),
    ],
)  # fmt: skip
def test_companions_must_equal_the_base(
    tmp_path: Path, base: Path, file: str, content: str | None, check: str, words: str
) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    assert words in only(audit_artifact(folder, base, None), check)


def test_another_cut_of_the_same_text_is_told_by_its_ids(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    (folder / "tokenizer.json").write_text(with_vocabulary(the=5, lazy=3), encoding="utf-8")
    reasons = failed(audit_artifact(folder, base, None))
    assert set(reasons) == {"tokenizer", "probe ids"}
    # "The" is unknown; of "quick", "the" and "lazy" the second is the first that differs
    assert "'The quick brown fox '… gives" in reasons["probe ids"]


def test_a_tokenizer_that_cannot_be_loaded_is_told(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    for where in (folder, base):
        (where / "tokenizer.json").write_text('{"model": {}}', encoding="utf-8")
    assert "cannot be loaded" in only(audit_artifact(folder, base, None), "probe ids")


def test_other_kinds_of_tokenizers_are_compared_by_their_bytes(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    for where in (folder, base):
        (where / "tokenizer.json").unlink()
    assert "the base has no tokenizer" in only(audit_artifact(folder, base, None), "tokenizer")
    for where in (folder, base):
        (where / "tokenizer.model").write_bytes(b"pieces")
    assert failed(audit_artifact(folder, base, None)) == {}
    (folder / "tokenizer.model").write_bytes(b"others")
    assert "tokenizer.model is missing or" in only(audit_artifact(folder, base, None), "tokenizer")


def test_companions_that_mean_the_same_pass(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    (folder / "chat_template.jinja").unlink()
    tokens = {
        "eos_token": {"content": "</s>", "lstrip": False},
        "bos_token": "<s>",
        "is_local": True,
        "chat_template": "{{ messages }}",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(tokens), encoding="utf-8")
    assert failed(audit_artifact(folder, base, None)) == {}
