"""Latencies aggregated from Parquet files, against numbers worked by hand."""

from pathlib import Path

import pytest

from evals.performance.metrics import Window, summarize
from evals.results import Outcome, Trace
from evals.workload.slo import Slo
from reports.figures.latencies import PROBABILITIES, Distribution, Quantiles, tails_of
from reports.view import Told
from tests.reports.traced import TracedRun, answered, ended, whole


@pytest.fixture
def run(tmp_path: Path) -> TracedRun:
    return TracedRun(tmp_path)


def found(told: Told, metric: str, arm: str = "int8-w8a8", cell: str = "closed-1") -> Distribution:
    (one,) = [x for x in told.distributions if (x.arm, x.cell, x.metric) == (arm, cell, metric)]
    return one


def at(one: Distribution, probability: float) -> float:
    return one.quantiles_ms[PROBABILITIES.index(probability)]


def test_quantiles_by_hand(run: TracedRun) -> None:
    """TTFT 10, 20, 40 ms: median 20, p90 at 1.8 of 0..2: 20 + .8 * 20 = 36.

    TPOT 2, 3, 5 ms. End to end 10 + 20, 20 + 30, 40 + 50: 30, 50, 90 ms.
    """
    run.add("closed-1", "variant", [answered(10, 2), answered(40, 5), answered(20, 3)])
    told = run.told()
    ttft = found(told, "ttft_ms")
    assert ttft.n == 3
    assert [at(ttft, p) for p in (0.0, 0.5, 0.9, 1.0)] == pytest.approx([10, 20, 36, 40])
    assert at(found(told, "tpot_ms"), 0.5) == pytest.approx(3)
    assert at(found(told, "e2e_ms"), 0.5) == pytest.approx(50)
    assert [(tail.probability, tail.value_ms) for tail in ttft.tails] == [
        (0.5, pytest.approx(20)), (0.9, None), (0.99, None), (0.999, None)]  # fmt: skip


def test_failed_requests_are_counted_and_no_latency(run: TracedRun) -> None:
    outcomes: tuple[Outcome, ...] = ("timeout", "timeout", "http_error", "client_cancelled")
    failed = [ended(outcome) for outcome in outcomes]
    before = [answered(9000, 900, is_judged=False), ended("timeout", is_judged=False)]
    run.add("closed-1", "variant", [answered(10, 2), *failed, *before])
    told = run.told()
    assert {one.metric: one.n for one in told.distributions} == {
        "ttft_ms": 1, "tpot_ms": 1, "e2e_ms": 1}  # fmt: skip
    assert at(found(told, "ttft_ms"), 1.0) == 10
    (outcomes_,) = told.outcomes
    assert outcomes_.counts == (("client_cancelled", 1), ("http_error", 1), ("ok", 1),
                                ("timeout", 2))  # fmt: skip
    assert outcomes_.num("truncated") == 0


def test_an_invalid_repeat_is_no_latency_but_how_it_ended_is_told(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(10, 2)])
    run.add("closed-1", "variant", [answered(900, 90), ended("timeout")], ("saturated: it grew",))
    told = run.told()
    assert found(told, "ttft_ms").n == 1
    assert at(found(told, "ttft_ms"), 1.0) == 10
    assert told.outcomes[0].counts == (("ok", 2), ("timeout", 1))


def test_an_answer_that_came_whole_has_an_end_and_no_first_token(run: TracedRun) -> None:
    run.add("closed-1", "variant", [whole(70), whole(90)])
    told = run.told()
    assert [one.metric for one in told.distributions] == ["e2e_ms"]
    assert at(found(told, "e2e_ms"), 0.5) == pytest.approx(80)


def test_arms_and_cells_stand_apart(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(10, 2)])
    run.add("closed-1", "baseline", [answered(20, 2)])
    run.add("closed-8", "variant", [answered(30, 2)])
    told = run.told()
    assert at(found(told, "ttft_ms"), 0.5) == 10
    assert at(found(told, "ttft_ms", "baseline"), 0.5) == 20
    assert at(found(told, "ttft_ms", cell="closed-8"), 0.5) == 30


def test_the_same_traces_twice_count_twice_and_no_more(run: TracedRun) -> None:
    for _ in range(2):
        run.add("closed-1", "variant", [answered(10, 2), answered(20, 2)])
    assert found(run.told(), "ttft_ms").n == 4


def test_a_damaged_and_a_missing_file_are_told_and_lose_nothing_else(run: TracedRun) -> None:
    damaged = run.add("closed-1", "variant", [answered(10, 2)])
    missing = run.add("closed-1", "variant", [answered(20, 2)])
    run.add("closed-1", "variant", [answered(40, 2)])
    run.add("closed-8", "variant", [answered(30, 2)])
    damaged.write_bytes(damaged.read_bytes()[:-1])
    missing.unlink()
    told = run.told()
    assert (found(told, "ttft_ms").n, at(found(told, "ttft_ms"), 0.5)) == (1, 40)
    assert found(told, "ttft_ms", cell="closed-8").n == 1
    lost = {one.cell: one.lost for one in told.outcomes}
    assert lost["closed-8"] == ()
    assert [one.repeat for one in lost["closed-1"]] == ["repeat 0", "repeat 1"]
    assert "has sha256" in lost["closed-1"][0].why
    assert "is missing" in lost["closed-1"][1].why


def test_a_file_that_is_no_table_is_told(run: TracedRun, tmp_path: Path) -> None:
    """Its digest is right, and what it holds is not."""
    run.add("closed-1", "variant", [answered(10, 2)])
    text = tmp_path / "words.txt"
    text.write_text("no table")
    run.change(0, traces_sha256=run.store.put_blob(text))
    told = run.told()
    assert told.distributions == ()
    assert told.outcomes[0].counts == ()
    assert [one.repeat for one in told.outcomes[0].lost] == ["repeat 0"]


def test_no_cell_no_latency(run: TracedRun) -> None:
    assert (run.told().distributions, run.told().outcomes) == ((), ())


def test_as_the_client_computes_them(run: TracedRun) -> None:
    """The same traces through `evals.performance.metrics`: two ways, one definition."""
    traces: list[Trace] = [answered(10 + at * at % 97, 1 + at % 7) for at in range(140)]
    traces += [
        ended("timeout"),
        whole(500),
        answered(3, 1).model_copy(update={"output_tokens": 1}),
        answered(7, 4).model_copy(update={"first_read_tokens": 3}),
    ]
    run.add("closed-1", "variant", traces)
    told, numbers = run.told(), summarize(traces, Window(0, 10**9, False, Slo()))
    for metric in ("ttft_ms", "tpot_ms", "e2e_ms"):
        for percent in (50, 90, 95):
            mine = at(found(told, metric), percent / 100)
            assert mine == pytest.approx(numbers[f"{metric}_p{percent}"]), (metric, percent)


def of(n: int, value_ms: float) -> Quantiles:
    return Quantiles(n, (value_ms,) * len(PROBABILITIES))


def test_tails_have_floors_and_bounds_over_repeats() -> None:
    """Repeats 9, 10, 11 ms: s 1, t(.95, 2) 2.920: 10 -+ 2.920 / sqrt(3) = 8.314, 11.686."""
    p50, p90, p99, p999 = tails_of(of(700, 10.2), [of(63, 9.0), of(140, 10.0), of(140, 11.0)])
    assert (p50.value_ms, p50.num_repeats) == (10.2, 3)
    assert (p50.lower_ms, p50.upper_ms) == pytest.approx((8.314, 11.686), abs=1e-3)
    assert p90.num_repeats == 2  # 63 requests are too few for a p90
    assert (p99.value_ms, p99.lower_ms, p99.num_repeats) == (10.2, None, 0)
    assert p999.value_ms is None
    assert tails_of(of(6636, 1.0), [])[3].value_ms == 1.0
    assert tails_of(of(6635, 1.0), [])[3].value_ms is None


def test_floor_of_the_last_percentile_by_the_rule_of_the_others() -> None:
    """At most one of n beyond: chance p^n + n (1 - p) p^(n - 1) at most .01."""
    for probability, floor in ((0.9, 64), (0.95, 130), (0.99, 662), (0.999, 6636)):

        def chance(n: int, p: float = probability) -> float:
            return p**n + n * (1 - p) * p ** (n - 1)

        assert chance(floor) <= 0.01 < chance(floor - 1)


def test_a_curve_ends_where_no_request_lies_beyond() -> None:
    one = Distribution("a", "closed-1", "ttft_ms", 10, (1.0,) * len(PROBABILITIES), ())
    assert [pair[0] for pair in one.seen()][-2:] == [0.9, 1.0]
