from collections import Counter
from pathlib import Path

import pytest

from evals.performance.client.sending import Sender
from evals.performance.profile import Bench, Turn, draw_order, measure_cell, spare_turns
from evals.performance.trace_file import read_traces
from evals.performance.validity import is_client_fault
from evals.results import Arm, Cell
from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from tests.evals.performance.conftest import Serve
from tests.evals.performance.test_sending import STREAM
from variants.errors import MeasurementError

CELL = CellSpec(poisson=25)
WORKLOAD = Workload(
    input_tokens=32, output_tokens=4, cells=(CELL,), ramp_s=0.3, window_s=1.0, timeout_s=3
)
TWICE = {"a": 2, "b": 2}
TURN = Turn(0, CELL.name, 0, "baseline")


@pytest.mark.parametrize("cells", [["a"], ["a", "b", "c"]])
@pytest.mark.parametrize("repeats", [2, 5])
def test_order(cells: list[str], repeats: int) -> None:
    counts = dict.fromkeys(cells, repeats)
    turns = draw_order(counts, 3)
    assert turns == draw_order(counts, 3)
    assert turns[0].arm == turns[-1].arm == "baseline"
    assert [turn.order for turn in turns] == list(range(2 * repeats * len(cells)))
    for first, second in zip(turns[::2], turns[1::2], strict=True):
        assert (first.cell, first.repeat) == (second.cell, second.repeat)
        assert {first.arm, second.arm} == {"baseline", "variant"}
    firsts = Counter((turn.cell, turn.arm) for turn in turns[::2])
    assert all(firsts[cell, "variant"] == repeats // 2 for cell in cells)


def test_a_cell_that_is_only_shown_has_fewer_turns() -> None:
    turns = draw_order({"judged": 5, "shown": 2}, 3)
    assert [turn.order for turn in turns] == list(range(14))
    assert {turn.repeat for turn in turns if turn.cell == "shown"} == {0, 1}
    assert turns[0].arm == turns[-1].arm == "baseline"


def cell(name: str, arm: Arm, repeat: int, order: int, *invalid: str) -> Cell:
    return Cell(
        name=name, arm=arm, repeat=repeat, order=order, num_offered=9, num_ok=9, window_s=1.0,
        metrics={}, engine={}, invalid=invalid, traces_sha256=f"{name}{arm}{repeat}",
    )  # fmt: skip


def two_repeats(*invalid: str) -> list[Cell]:
    """Return two repeats of cells a and b; `invalid` are the faults of b's last."""
    turns = draw_order(TWICE, 3)
    last = max(turn.order for turn in turns if turn.cell == "b")
    return [
        cell(t.cell, t.arm, t.repeat, t.order, *(invalid if t.order == last else ())) for t in turns
    ]


@pytest.mark.parametrize(
    "fault", ["client saturation: p99 send lag 9 ms", "arrivals: realised rate is 0.9"]
)
def test_a_repeat_that_the_client_spoilt_is_drawn_again(fault: str) -> None:
    measured = two_repeats("saturated: in flight grew", fault)
    turns = spare_turns(measured, TWICE, 3)
    assert turns == spare_turns(measured, TWICE, 3)
    assert {(turn.cell, turn.repeat, turn.arm) for turn in turns} == {
        ("b", 2, "baseline"),
        ("b", 2, "variant"),
    }
    assert [turn.order for turn in turns] == [8, 9]


@pytest.mark.parametrize(
    "fault",
    [
        "saturated: in flight grew from 1.0 to 9.0",
        "server: it was not idle before the cell",
        "server: no request arrived inside the window",
        "engine metrics missing: running",
        "prompt length: usage is missing in 1 of 9",
        "output length: 1 of 9 differ",
        "prefix cache: 4.0% of prompt tokens came from it",
    ],
)
def test_a_repeat_that_the_server_spoilt_counts_as_measured(fault: str) -> None:
    """Else a slow server would be asked again until it happens to be fast."""
    assert spare_turns(two_repeats(fault), TWICE, 3) == ()


def test_half_a_repeat_is_never_completed() -> None:
    """A killed run recorded one arm: the other, measured later, would meet another machine."""
    half = two_repeats()[:-1]
    turns = spare_turns(half, TWICE, 3)
    assert {(turn.cell, turn.repeat) for turn in turns} == {(two_repeats()[-1].name, 2)}
    assert [turn.order for turn in turns] == [7, 8]
    gap = two_repeats()[:3] + two_repeats()[4:]
    assert [turn.order for turn in spare_turns(gap, TWICE, 3)] == [8, 9]  # no place is used twice


def test_measured_cell(serve: Serve, tmp_path: Path) -> None:
    plan = plan_cell(WORKLOAD, CELL, 1, 0, STREAM)
    with Sender(tmp_path) as sender:
        bench = Bench(serve(ttft_ms=30, tpot_ms=10), sender, Slo(), tmp_path)
        cell, traces = measure_cell(plan, TURN, bench)
    num_planned = sum(request.phase == "window" for request in plan.requests)
    assert cell.num_offered == cell.num_ok == num_planned
    assert cell.metrics["attainment"] is not None
    assert (cell.metrics["ttft_ms_p50"] or 0) >= 30
    assert cell.engine["spec_drafted_total"] is None
    assert (cell.engine["generated_tokens_total"] or 0) > 0
    assert [reason for reason in cell.invalid if not is_client_fault(reason)] == []
    path = tmp_path / f"{CELL.name}-r0-baseline.traces.parquet"
    assert read_traces(path, cell.traces_sha256) == traces


def test_a_dead_engine_is_an_invalid_cell(serve: Serve, tmp_path: Path) -> None:
    plan = plan_cell(WORKLOAD, CELL, 1, 0, STREAM)
    with Sender(tmp_path) as sender:
        bench = Bench(serve(tpot_ms=10, die_after=12), sender, Slo(), tmp_path)
        cell, _ = measure_cell(plan, TURN, bench)
    assert cell.num_ok < cell.num_offered
    assert any(reason.startswith("engine metrics missing: kv_usage") for reason in cell.invalid)


def test_no_engine_at_all_is_an_error(serve: Serve, tmp_path: Path) -> None:
    nowhere = serve().model_copy(update={"base_url": "http://127.0.0.1:9"})
    plan = plan_cell(WORKLOAD, CELL, 1, 0, STREAM)
    with Sender(tmp_path) as sender, pytest.raises(MeasurementError, match="/metrics gave Connect"):
        measure_cell(plan, TURN, Bench(nowhere, sender, Slo(), tmp_path))
