from collections import Counter
from pathlib import Path

import pytest

from evals.performance.plan import plan_cell
from evals.performance.profile import Bench, Turn, draw_order, measure_cell
from evals.performance.sending import Sender
from evals.performance.trace_file import read_traces
from evals.study import CellSpec, Slo, Workload
from tests.evals.performance.conftest import Serve
from tests.evals.performance.test_sending import STREAM
from variants.errors import MeasurementError

MACHINE = ("client saturation", "arrivals: realised rate")  # reasons a loaded machine may give
CELL = CellSpec(poisson=25)
WORKLOAD = Workload(
    input_tokens=32, output_tokens=4, cells=(CELL,), ramp_s=0.3, window_s=1.0, timeout_s=3
)
TURN = Turn(0, CELL.name, 0, "baseline")


@pytest.mark.parametrize("cells", [["a"], ["a", "b", "c"]])
@pytest.mark.parametrize("repeats", [2, 5])
def test_order(cells: list[str], repeats: int) -> None:
    turns = draw_order(cells, repeats, 3)
    assert turns == draw_order(cells, repeats, 3)
    assert turns[0].arm == turns[-1].arm == "baseline"
    assert [turn.order for turn in turns] == list(range(2 * repeats * len(cells)))
    for first, second in zip(turns[::2], turns[1::2], strict=True):
        assert (first.cell, first.repeat) == (second.cell, second.repeat)
        assert {first.arm, second.arm} == {"baseline", "variant"}
    firsts = Counter((turn.cell, turn.arm) for turn in turns[::2])
    assert all(firsts[cell, "variant"] == repeats // 2 for cell in cells)


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
    assert [reason for reason in cell.invalid if not reason.startswith(MACHINE)] == []
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
