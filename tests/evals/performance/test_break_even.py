import pytest

from evals.performance.break_even import break_even_requests, request_s
from evals.results import Arm, Cell


def test_the_worked_example() -> None:
    assert break_even_requests(221.0 - 41.0, 2.0, 1.2) == pytest.approx(225)


def test_what_saves_nothing_never_pays_and_what_costs_nothing_has_paid() -> None:
    assert break_even_requests(180.0, 2.0, 2.0) is None
    assert break_even_requests(180.0, 2.0, 2.5) is None
    assert break_even_requests(0.0, 2.0, 1.0) == 0.0
    assert break_even_requests(-5.0, 2.0, 2.5) == 0.0


def cell(num_ok: int, arm: Arm = "variant", *invalid: str) -> Cell:
    return Cell(
        name="closed-8", arm=arm, repeat=0, order=0, num_offered=40, num_ok=num_ok, window_s=8.0,
        metrics={}, engine={}, invalid=invalid, traces_sha256="0" * 64,
    )  # fmt: skip


def test_seconds_per_request_pool_the_valid_repeats_of_one_arm() -> None:
    cells = [cell(16), cell(24), cell(1, "baseline"), cell(39, "variant", "throttled")]
    assert request_s(cells, "closed-8", "variant") == pytest.approx(0.4)  # 16 s / 40
    assert request_s(cells, "closed-1", "variant") is None
    assert request_s([cell(0)], "closed-8", "variant") is None
