"""Nobody can read from weights what they were calibrated with: what is said of it is read."""

import json
from pathlib import Path

import pytest

from variants.builders.calibration_claim import claimed_texts, read_claim
from variants.catalogue import BASES, variant_of
from variants.errors import StudyError
from variants.specs.spec import Serving

BASE = BASES["smollm2-135m-instruct"]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("", "unknown"),
        ("file:///data/set.jsonl", "texts"),
        ("none: rounded to nearest, says its card", "none"),
        ("accepted by Ada Lovelace: the vendor confirmed it", "accepted"),
    ],
)
def test_each_form_is_told_apart_and_taken_by_a_study(words: str, kind: str) -> None:
    assert read_claim(words).kind == kind
    arguments = {"name": "x", "source": f"file:///x#sha256={'0' * 64}", "calibration": words}
    made = variant_of("prebuilt", arguments, BASE, Serving())
    assert made.recipe.prebuilt is not None
    assert made.recipe.prebuilt.calibration == words


@pytest.mark.parametrize("words", ["none", "none: no", "accepted by : because I say so", "c4"])
def test_another_form_is_refused_at_the_door(words: str) -> None:
    arguments = {"name": "x", "source": f"file:///x#sha256={'0' * 64}", "calibration": words}
    with pytest.raises(StudyError, match="calibration"):
        variant_of("prebuilt", arguments, BASE, Serving())


def test_samples_are_read_whatever_they_are_called(tmp_path: Path) -> None:
    samples = [
        {"text": "a b"},
        {"prompt": "c", "completion": "d"},
        {"messages": [{"role": "user", "content": "e"}, {"role": "assistant", "content": "f"}]},
        {"conversations": [{"from": "human", "value": "g"}]},
        "h",
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("\n\n".join(map(json.dumps, samples)), encoding="utf-8")
    assert claimed_texts(path) == ("a b", "c d", "e f", "g", "h")
    plain = tmp_path / "set.txt"
    plain.write_text("one\n\ntwo\n", encoding="utf-8")
    assert claimed_texts(plain) == ("one\ntwo",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        ("", "is empty"),
        ("{", ":1 is no JSON"),
        ('{"text": "a"}\n{"label": 1}', ":2 holds no text"),
        ("3", ":1 holds no text"),
    ],
)
def test_a_file_that_holds_no_texts_is_refused(
    tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "set.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(StudyError, match=words):
        claimed_texts(path)
