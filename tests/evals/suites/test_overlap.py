import pytest

from evals.suites.overlap import has_seen, overlap_check, runs_of
from evals.suites.written import Mark, Question

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen"


def question(words: str) -> Question:
    return Question(
        "q", "c", words, 8, lambda _: Mark(True, False), before=(("system", "Be kind."),)
    )


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (f"before {LONG} after", True),
        (LONG.replace("seven", "7"), False),
        ("Find the area of a triangle!", True),  # six words, the same throughout
        ("find  THE area, of a triangle", True),
        ("Find the area of a triangle please", False),
        ("Be kind to all", False),  # too short to tell anything
    ],
)
def test_what_a_question_shares(words: str, seen: bool) -> None:
    texts = [f"x {LONG}", "Find the area of a triangle.", "Be kind to all"]
    assert has_seen(runs_of(texts), question(words)) is seen


def test_one_shared_item_fails_the_check() -> None:
    items = [question("What is new today in Rome, and where?"), question(f"{LONG}?")]
    check = overlap_check(items, [LONG])
    assert not check.passed
    assert check.reason.startswith("1 of 2 items share 13 words")
    assert overlap_check(items[:1], [LONG]).passed
