import math
from typing import Any

import pytest

from evals.results import Check
from evals.suites.near_ties import (
    Flips,
    Pair,
    check_same_text,
    flips_between,
    near_tie_nats,
    parting,
)

PROMPTS = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
REFERENCE: dict[str, Any] = {
    "tokens": PROMPTS,
    "logprobs": [[-1.0, -1.0]] * 3,
    "null": [[-1.0, -1.0]] * 3,
}
NEAR, FAR, UNRANKED = 501, 502, 503


class Model:
    """Greedy: token n after n - 1 others; 501 lies .3 nats behind, 502 lies 2, 503 is not ranked.

    `says` replaces what it writes at one place of 48; `first` what it ranks first at each place.
    """

    def __init__(self, says: tuple[int, int] | None = None, first: int | None = None) -> None:
        self.says, self.first = says, first

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        prompt = list(body["prompt"])  # type: ignore[call-overload]
        if body.get("echo"):
            return {"choices": [{"logprobs": self.prefill(prompt)}]}
        written = [len(prompt) + at for at in range(48)]
        if self.says is not None:
            at, token = self.says
            written[at:] = [token] * (48 - at)
        choice = {"token_ids": written, "logprobs": {"token_logprobs": [-1.0] * 48}}
        return {"choices": [choice]}

    def prefill(self, prompt: list[int]) -> dict[str, Any]:
        tops = [self.ranking(place) for place in range(1, len(prompt))]
        scores = [top.get(str(token), -9.0) for top, token in zip(tops, prompt[1:], strict=True)]
        return {"token_logprobs": [None, *scores], "top_logprobs": [None, *tops]}

    def ranking(self, place: int) -> dict[str, float]:
        ranking = {str(place): -1.0, str(NEAR): -1.3, str(FAR): -3.0}
        if self.first is not None:
            ranking[str(self.first)] = -0.5
        return ranking


def checked(variant: Model) -> list[Check]:
    return check_same_text(Pair(Model(), variant, 5.0), REFERENCE)


def test_the_bound_is_twice_the_worst_gap_of_one_log_probability() -> None:
    assert near_tie_nats(REFERENCE) == pytest.approx(0.56)  # 2 x .28
    coarse = REFERENCE | {"null": [[-1.0, -1.0], [-1.0, -1.5], [-1.0, -1.0]]}
    assert near_tie_nats(coarse) == pytest.approx(1.0)  # 2 x .5


def test_the_same_text_passes() -> None:
    checks = checked(Model())
    assert [check.name for check in checks] == [
        f"same-{what}-{length}"
        for length in ("short", "medium", "long")
        for what in ("prefill", "text")
    ]
    assert all(check.passed and check.values["num_flips"] == 0 for check in checks)
    assert checks[0].reason == "same-prefill-short: the same over 50 positions"  # 3 + 48 - 1


def test_two_texts_may_part_at_a_near_tie_and_nowhere_else() -> None:
    """And what follows after they have parted is another text."""
    near = checked(Model(says=(10, NEAR)))[1]
    assert near.passed
    assert near.values["worst_flip_nats"] == pytest.approx(0.3)
    assert "position 11" in near.reason
    far = checked(Model(says=(10, FAR)))[1]
    assert far.passed is False
    assert "at most 2.000 nats apart (position 11; a near tie is 0.560)" in far.reason
    unranked = checked(Model(says=(10, UNRANKED)))[1]
    assert unranked.passed is False
    assert unranked.values["worst_flip_nats"] == pytest.approx(8.0)


def test_prefill_is_looked_at_by_itself() -> None:
    """A server that writes the same and ranks otherwise is wrong wherever it reads."""
    prefill, text, *_ = checked(Model(first=NEAR))
    assert prefill.passed
    assert prefill.values["num_flips"] == 50
    assert text.passed
    wrong, *_ = checked(Model(first=FAR))
    assert wrong.passed is False
    assert wrong.reason.endswith("the setting changes what the model says")
    lost, *_ = checked(Model(first=UNRANKED))
    assert lost.passed is False
    assert lost.values["worst_flip_nats"] is None


def test_the_worked_example_of_a_flip() -> None:
    ours = [{"A": -1.0, "B": -1.3, "C": -3.0}]
    assert flips_between(ours, ours) == Flips(1, 0, 0.0, 0)
    one = flips_between(ours, [{"B": -1.1, "A": -1.2}])
    assert (one.num_flips, one.worst_nats) == (1, pytest.approx(0.3))
    assert flips_between(ours, [{"D": -0.1}]).worst_nats == math.inf


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_ranking_that_is_no_number_is_no_near_tie(bad: float) -> None:
    assert flips_between([{"A": -1.0}], [{"A": bad}]).worst_nats == math.inf


def test_where_texts_part() -> None:
    assert parting([1, 2, 3], [1, 2, 3]) is None
    assert parting([1, 2, 3], [1, 9, 3]) == 1
