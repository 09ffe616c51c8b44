import random
from itertools import combinations

import pytest

from evals.suites.instructions import vocabulary
from evals.suites.instructions.conflicts import CONFLICTS, is_conflict
from evals.suites.instructions.families import load_families
from evals.suites.instructions.kinds import KINDS
from evals.suites.instructions.occasion import Occasion
from evals.suites.instructions.reading import num_of
from tests.evals.suites.instructions.writer import write

TASK = "Tell a story about a mill, and about a miller."
PAIRS = [pair for pair in combinations(KINDS, 2) if not is_conflict(*pair)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lower-case", "capitals"),
        ("words-at-least", "words-at-most"),
        ("no-commas", "json-object"),
        ("json-object", "json-keys"),
        ("begins-with", "repeats-task"),
        ("quoted", "ends-with"),
        ("postscript", "lower-case"),
        ("two-versions", "bullets"),
        ("title", "title"),
    ],
)
def test_kinds_that_break_each_other_are_in_the_table(one: str, other: str) -> None:
    assert is_conflict(one, other)
    assert is_conflict(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("no-commas", "keywords"), ("lower-case", "json-keys"), ("postscript", "capitals")],
)
def test_kinds_that_go_together_are_not(one: str, other: str) -> None:
    assert not is_conflict(one, other)
    assert not is_conflict(other, one)


def test_the_table_names_kinds_only_and_says_why() -> None:
    for conflict in CONFLICTS:
        assert conflict.left | conflict.right <= KINDS.keys(), conflict
        assert len(conflict.reason.split()) >= 4


def test_any_two_that_go_together_leave_a_third() -> None:
    for one, other in PAIRS:
        thirds = [k for k in KINDS if not is_conflict(k, one) and not is_conflict(k, other)]
        assert thirds, (one, other)


@pytest.mark.parametrize(("one", "other"), PAIRS, ids="+".join)
def test_some_answer_follows_both_of_any_two_that_go_together(one: str, other: str) -> None:
    for seed in range(3):
        occasion = Occasion(TASK, random.Random(seed))
        assert write((KINDS[one](occasion), KINDS[other](occasion))) is not None


PHRASES = (
    *vocabulary.OPENINGS, *vocabulary.ENDINGS, *vocabulary.POSTSCRIPT_MARKS,
    *vocabulary.SECTION_MARKS, *vocabulary.JSON_KEYS,
    *(label for labels in vocabulary.LABELS for label in labels),
)  # fmt: skip


def test_no_phrase_that_must_be_written_breaks_another_rule() -> None:
    for phrase in PHRASES:
        assert "," not in phrase
        assert not [w for w in vocabulary.KEYWORDS + vocabulary.FORBIDDEN if num_of(w, phrase)]
    assert set(vocabulary.KEYWORDS).isdisjoint(vocabulary.FORBIDDEN)
    assert "".join(vocabulary.JSON_KEYS).islower()


def test_no_task_uses_the_vocabulary() -> None:
    words = vocabulary.KEYWORDS + vocabulary.FORBIDDEN
    used = [(f.id, word) for f in load_families() for word in words if num_of(word, f.task)]
    assert used == []


def test_no_pool_repeats_itself_and_no_label_holds_another() -> None:
    for pool in (vocabulary.KEYWORDS, vocabulary.FORBIDDEN, PHRASES):
        assert len(set(pool)) == len(pool)
    labels = [label for labels in vocabulary.LABELS for label in labels]
    assert not any(one in other for one in labels for other in labels if one != other)
