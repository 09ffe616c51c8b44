from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.results import Check
from evals.suites.claimed import look_at_claim
from evals.suites.overlap import DISJOINT, overlap_check
from evals.suites.written import Mark, Question

WORDS = "the quick brown fox jumps over the lazy dog and runs into the wood"  # 14 words


def item() -> Question:
    return Question("q", "c", WORDS, 8, lambda _: Mark(True, False))


def look(texts: Sequence[str]) -> Check:
    return overlap_check([item()], texts)


def test_nothing_said_holds_the_variant_back_and_names_what_may_be_said() -> None:
    check = look_at_claim("", look)
    assert (check.name, check.stage, check.passed) == (DISJOINT, "audit", None)
    for form in ("file:///PATH", "none: WHY", "accepted by WHO: WHY"):
        assert form in check.reason


@pytest.mark.parametrize(
    "words", ["none: rounded to nearest", "accepted by Ada: the vendor confirmed it"]
)
def test_a_persons_word_passes_and_is_told(words: str) -> None:
    check = look_at_claim(words, look)
    assert check.passed
    assert words in check.reason


@pytest.mark.parametrize(("text", "passed"), [("other words", True), (f"x {WORDS} y", False)])
def test_texts_that_are_given_are_looked_at(tmp_path: Path, text: str, passed: bool) -> None:
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf-8")
    assert look_at_claim(f"file://{path}", look).passed == passed


def test_texts_that_are_not_there_hold_the_variant_back(tmp_path: Path) -> None:
    check = look_at_claim(f"file://{tmp_path}/gone.txt", look)
    assert check.passed is None
    assert "cannot be read" in check.reason
