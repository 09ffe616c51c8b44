import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evals.suites import CHOICES, SUITES
from evals.suites.assignment import Assignment
from evals.suites.blocks import merge
from evals.suites.continuation_choice import SUITE
from evals.suites.item import Item, Request, Suite, items_sha256
from evals.suites.language_model import TokenScorer
from evals.suites.scoring import score
from evals.suites.tokenizer import tokenizer_of
from tests.byte_tokenizer import write_tokenizer
from variants.errors import MeasurementError

NUM_ITEMS = 12
SEED = 5
Scores = Callable[[int], list[float]]  # number of the item asked -> scores of its options


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write an artifact's tokenizer: one token per byte."""
    return write_tokenizer(tmp_path_factory.mktemp("artifact"))


class ToyModel(TokenScorer):
    """Answers each item with set scores, and keeps what it was asked."""

    def __init__(self, folder: Path, scores: Scores) -> None:
        super().__init__(tokenizer_of(folder))
        self._scores = scores
        self.asked: list[tuple[list[int], list[list[int]]]] = []

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        self.asked.append((context, options))
        return self._scores(len(self.asked) - 1)


def assignment(**fields: int) -> Assignment:
    return Assignment(
        "continuation-choice", "variant", "artifact", NUM_ITEMS, SEED, {}, **fields
    )  # fmt: skip


def test_the_highest_sum_is_the_answer(folder: Path) -> None:
    model = ToyModel(folder, lambda _: [-8.0, -16.0, -24.0, -32.0])
    result = score(assignment(), folder, model)
    assert result.num_issued == NUM_ITEMS == len(result.samples)
    assert all(sample.is_correct for sample in result.samples)
    assert {sample.margin for sample in result.samples} == {0.5}  # (-8 + 16) / 16 tokens
    assert {sample.choice for sample in result.samples} == {0}
    assert (result.arm, result.path, result.chance) == ("variant", "artifact", 0.25)


def test_items_are_scored_as_drawn_with_their_own_tokens(folder: Path) -> None:
    model = ToyModel(folder, lambda _: [-1.0, -2.0, -3.0, -4.0])
    result = score(assignment(), folder, model)
    tokenizer = tokenizer_of(folder)
    items = SUITE.items(Request(NUM_ITEMS, SEED, tokenizer))
    assert [sample.item for sample in result.samples] == [item.id for item in items]
    assert [sample.cluster for sample in result.samples] == [item.cluster for item in items]
    assert result.items_sha256 == items_sha256(items)
    assert model.asked == [
        (tokenizer.encode(item.context), [tokenizer.encode(option) for option in item.options])
        for item in items
    ]
    assert len({sample.prompt_sha256 for sample in result.samples}) == NUM_ITEMS


@pytest.mark.parametrize(
    ("scores", "is_correct", "choice", "margin"),
    [
        ([-16.0, -16.0, -32.0, -32.0], False, 0, 0.0),  # a tie is wrong
        ([-32.0, -48.0, -16.0, -48.0], False, 2, -1.0),
        ([math.nan, -1.0, -2.0, -3.0], None, None, None),
        ([-1.0, -2.0, math.nan, -3.0], None, None, None),
        ([-1.0, -math.inf, -2.0, -3.0], None, None, None),
    ],
)
def test_ties_and_missing_answers(
    folder: Path,
    scores: list[float],
    is_correct: bool | None,
    choice: int | None,
    margin: float | None,
) -> None:
    def third_only(item: int) -> list[float]:
        return scores if item == 3 else [-1.0, -2.0, -3.0, -4.0]

    result = score(assignment(), folder, ToyModel(folder, third_only))
    assert result.num_issued == NUM_ITEMS
    sample = result.samples[3]
    assert (sample.is_correct, sample.choice, sample.margin) == (is_correct, choice, margin)
    assert sum(sample.is_correct is True for sample in result.samples) == NUM_ITEMS - 1


def test_level_and_axis_reach_the_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def levelled(request: Request) -> tuple[Item, ...]:
        return tuple(replace(one, level=float(at)) for at, one in enumerate(SUITE.items(request)))

    suite = replace(SUITE, items=levelled, axis="tools offered")
    monkeypatch.setitem(SUITES, SUITE.id, suite)

    def third_missing(item: int) -> list[float]:
        return [math.nan] * 4 if item == 3 else [-1.0, -2.0, -3.0, -4.0]

    result = score(assignment(), folder, ToyModel(folder, third_missing))
    assert result.axis == "tools offered"
    assert [sample.level for sample in result.samples] == [float(n) for n in range(NUM_ITEMS)]


RAGGED = Item("one", "cluster", "context", ("abcd", "xy", "z"))  # a token is a byte


def ragged(is_per_token: bool) -> Suite:
    return replace(SUITE, id="ragged", items=lambda _: (RAGGED,), per_token=is_per_token)


def test_options_of_other_lengths_are_compared_by_the_mean(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """-4 over 4 tokens beats -3 over 2 and -2 over 1, whose sums are higher."""
    monkeypatch.setitem(SUITES, "ragged", ragged(is_per_token=True))
    asked = replace(assignment(), suite="ragged")
    (sample,) = score(asked, folder, ToyModel(folder, lambda _: [-4.0, -3.0, -2.0])).samples
    assert (sample.is_correct, sample.choice, sample.margin) == (True, 0, 0.5)


def test_a_suite_of_sums_refuses_options_of_other_lengths(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SUITES, "ragged", ragged(is_per_token=False))
    asked = replace(assignment(), suite="ragged")
    with pytest.raises(MeasurementError, match=r"options of \[4, 2, 1\] tokens"):
        score(asked, folder, ToyModel(folder, lambda _: [-4.0, -3.0, -2.0]))


@pytest.mark.parametrize("suite", CHOICES.values(), ids=CHOICES)
def test_the_rule_in_words_is_the_rule(suite: Suite) -> None:
    assert suite.per_token == ("per token" in suite.rule)


def test_tokens_are_counted_of_what_was_answered(folder: Path) -> None:
    """Each of 4 options counts with its context; the first item is not answered."""
    tokenizer = tokenizer_of(folder)
    items = SUITE.items(Request(NUM_ITEMS, SEED, tokenizer))
    nan_first = ToyModel(folder, lambda item: [math.nan if item == 0 else -1.0] * 4)
    found = score(assignment(), folder, nan_first)
    lengths = [
        4 * len(tokenizer.encode(one.context)) + 4 * len(tokenizer.encode(one.options[0]))
        for one in items
    ]
    assert found.prompt_tokens == sum(lengths[1:])


def shard(folder: Path, number: int) -> ToyModel:
    return ToyModel(folder, lambda _: [-1.0 - number, -9.0, -9.0, -9.0])


def test_progress_is_told_in_items_of_the_shard(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("variants.running.progress.EVERY_S", 0.0)
    told: list[str] = []
    model = ToyModel(folder, lambda _: [-1.0, -2.0, -3.0, -4.0])
    score(assignment(shard=1, num_shards=2), folder, model, told.append)
    assert len(told) == NUM_ITEMS // 2 - 1
    assert told[0].startswith("continuation-choice, variant, part 2 of 2: 1 of 6 items after")


def test_shards_join_to_the_whole(folder: Path) -> None:
    whole = score(assignment(), folder, ToyModel(folder, lambda _: [-1.0, -2.0, -3.0, -4.0]))
    shards = [
        score(assignment(shard=number, num_shards=5), folder, shard(folder, number))
        for number in range(5)
    ]
    assert [one.num_issued for one in shards] == [3, 3, 2, 2, 2]
    joined = merge(shards, 7.0)
    assert joined.num_issued == NUM_ITEMS
    assert joined.items_sha256 == whole.items_sha256
    assert {one.item: one.prompt_sha256 for one in joined.samples} == {
        one.item: one.prompt_sha256 for one in whole.samples
    }
    assert joined.seconds == 7.0
    assert joined.prompt_tokens == whole.prompt_tokens


def test_a_shard_without_an_item_is_empty(folder: Path) -> None:
    empty = score(assignment(shard=NUM_ITEMS, num_shards=NUM_ITEMS + 1), folder, shard(folder, 0))
    assert (empty.num_issued, empty.num_planned, empty.samples) == (0, NUM_ITEMS, ())


def test_shards_of_different_items_do_not_join(folder: Path) -> None:
    one = score(assignment(shard=0, num_shards=2), folder, shard(folder, 0))
    other = one.model_copy(update={"items_sha256": "0" * 16})
    with pytest.raises(MeasurementError, match="had other items"):
        merge([one, other], 1.0)
