"""An adapter that does nothing at the endpoint fails, as does one whose effect has shrunk."""

import math
from pathlib import Path
from typing import Any

import pytest

from evals.suites.adapter_effect import check_effect, check_strength, effect_of, probe
from evals.suites.adapter_loading import LOAD, UNLOAD, check_loading
from tests.evals.suites.conftest import Start
from variants.engines.adapter import ServedAdapter
from variants.errors import EngineError

EXPECTED = [[1.0, -1.0], [2.0]]
BASE = [[-3.0, -3.0], [-4.0]]


def moved(share: float) -> list[list[float]]:
    return [
        [score + share * change for score, change in zip(scores, changes, strict=True)]
        for scores, changes in zip(BASE, EXPECTED, strict=True)
    ]


def test_the_worked_example_of_a_strength() -> None:
    check = check_strength("poet", moved(0.5), BASE, EXPECTED)
    assert check.values["strength"] == pytest.approx(0.5)
    assert check.passed is False
    assert "has 0.50 [0.50, 0.50] of its effect" in check.reason
    assert (check.stage, check.name) == ("identity", "adapter-strength-poet")


@pytest.mark.parametrize(
    ("share", "passed"), [(1.0, True), (0.72, True), (0.70, False), (1.4, True), (1.43, False)]
)
def test_the_limits_are_the_root_of_two_either_way(share: float, passed: bool) -> None:
    assert check_strength("poet", moved(share), BASE, EXPECTED).passed is passed


def test_noise_alone_is_no_strength_however_large() -> None:
    # orthogonal to (1, -1, 2): slope 0, and an error that keeps it under the limit
    expected = [[1.0, -1.0, 2.0] * 50]
    noise = [[1.0, 1.0, 0.0] * 50]
    check = check_strength("poet", noise, [[0.0] * 150], expected)
    assert check.values["strength"] == pytest.approx(0)
    # left 100, 150 positions, power 300: sqrt(100 / 149 / 300)
    assert check.values["upper"] == pytest.approx(1.645 * math.sqrt(100 / 149 / 300))
    assert check.passed is False


def test_too_few_positions_for_much_noise_leave_it_open() -> None:
    check = check_strength("poet", [[2.0, 0.0], [2.0]], [[0.0, 0.0], [0.0]], EXPECTED)
    assert check.values["strength"] == pytest.approx(1)  # (2 + 0 + 4) / 6
    assert check.passed is None  # left 1 + 1 + 0: an error of .41, so .32 to 1.68


@pytest.mark.parametrize(
    ("adapted", "expected"),
    [([[math.nan, 0.0], [0.0]], EXPECTED), (BASE, [[1.0], [2.0]]), (BASE, [[math.inf, 1], [1]])],
)
def test_what_is_not_finite_or_not_whole_never_passes(
    adapted: list[list[float]], expected: list[list[float]]
) -> None:
    assert check_strength("poet", adapted, BASE, expected).passed is False


def test_without_an_effect_in_process_nothing_can_be_compared() -> None:
    assert check_strength("poet", moved(1), BASE, [[0.0, 0.0], [0.0]]).passed is None


def test_an_effect_must_be_beyond_the_base_asked_twice() -> None:
    again = [[-3.1, -3.0], [-4.2]]  # mean gap .1; three times that is .3
    assert check_effect("poet", moved(1), BASE, again).passed  # mean effect 4 / 3
    weak = check_effect("poet", moved(0.2), BASE, again)  # .267
    assert weak.passed is False
    assert weak.reason.endswith("the adapter has no effect here; its layers are ignored")
    assert check_effect("poet", [[math.nan, 0.0], [0.0]], BASE, BASE).passed is False


def test_an_engine_that_ignores_an_adapter_fails(served: Start) -> None:
    """The scripted endpoint answers alike whatever model is named, as such an engine does."""
    endpoint, tokens = served(), [[10, 11, 12, 13], [20, 21, 22]]
    adapted, base, again = (
        probe(endpoint, name, tokens, 5.0) for name in ("poet", "model", "model")
    )
    check = check_effect("poet", adapted, base, again)
    assert check.passed is False
    assert "by 0.0000 nats on average over 5 positions; the base asked twice by 0.0000" in (
        check.reason
    )
    strength = check_strength("poet", adapted, base, [[1.0, 2.0, 1.0], [0.5, -1.0]])
    assert strength.passed is False
    assert strength.values["strength"] == 0


def test_an_effect_is_a_difference_per_position() -> None:
    assert effect_of([[-1.0], [-2.0, -3.0]], [[-1.5], [-2.0, -2.0]]) == [[0.5], [0.0, -1.0]]


class Loadable:
    """An engine that has its adapters in a list, and faults where it is told to."""

    def __init__(self, fault: str = "") -> None:
        self.loaded, self.fault, self.times_loaded = ["poet"], fault, 0

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        if body["model"] not in self.loaded and self.fault != "deaf":
            raise EngineError("404: no such model")
        score = -1.0 - (self.fault == "other") * self.times_loaded
        return {"choices": [{"logprobs": {"token_logprobs": [None, score, score]}}]}

    def order(self, path: str, body: dict[str, object], timeout_s: float) -> str:
        if self.fault == "refuses" and path == LOAD:
            raise EngineError("400: no room")
        (self.loaded.remove if path == UNLOAD else self.loaded.append)(str(body["lora_name"]))
        self.times_loaded += path == LOAD
        return "Success"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("deaf", "it still answered when it was unloaded"),
        ("other", "loaded again it differs from itself by 1.000 nats"),
        ("refuses", "could not be loaded again: 400: no room"),
    ],
)
def test_an_adapter_that_is_not_itself_again_fails(fault: str, told: str) -> None:
    poet = ServedAdapter("poet", Path("/x"), 8)
    check = check_loading(Loadable(fault), poet, [1, 2, 3], 1.0)
    assert check.passed is False
    assert told in check.reason


def test_loading_is_timed_step_by_step() -> None:
    check = check_loading(Loadable(), ServedAdapter("poet", Path("/x"), 8), [1, 2, 3], 1.0)
    assert check.passed
    assert check.name == "adapter-loading-poet"
    assert set(check.values) == {"unload_s", "load_s", "first_token_s", "next_token_s"}
