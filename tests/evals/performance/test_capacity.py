from pathlib import Path

import pytest

from evals.performance.capacity import Capacity, seen_rates
from evals.performance.client.sending import Sender, send_cell
from evals.performance.knee import Level, knee
from evals.performance.profile import Bench, Turn, measure_cell
from evals.performance.search import highest_rate
from evals.performance.validity import is_client_fault
from evals.statistics import Interval
from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from tests.evals.performance.conftest import Serve

STREAM = [(i * 7919) % 5000 for i in range(20_000)]


def level(concurrency: int, rate: float, e2e_s: float) -> Level:
    return Level(
        concurrency=concurrency, output_tokens_per_s=rate, e2e_ms=e2e_s * 1000, ttft_ms=1, tpot_ms=1
    )


SWEEP = (level(1, 20, 1.0), level(2, 38, 1.1), level(4, 60, 1.4), level(8, 64, 2.6))


def test_the_knee_is_where_power_is_highest() -> None:
    """20 / 1.0, 38 / 1.1 = 34.5, 60 / 1.4 = 42.9, 64 / 2.6 = 24.6."""
    assert knee(SWEEP) == 4
    assert knee(SWEEP[:3]) is None  # power still rises: the knee is further on
    assert knee(SWEEP[:2]) is None


def test_it_is_told_with_every_look() -> None:
    def look(rate: float, confirms: bool) -> Interval:
        share = 1.0 if rate <= 2 else 0.4
        return Interval(share, share, share, 5)

    found = highest_rate(look, 0.9, 1.0, precision=0.5)
    told = Capacity(
        variant="int8", rate=found.rate, target=0.9, seen=seen_rates(found), levels=SWEEP
    ).told()
    assert "int8: highest rate with 90% inside the SLO: 2 requests/s" in told
    assert "4/s  attainment 40.0% [40.0%, 40.0%]  not shown" in told
    assert "confirm " in told
    assert "closed-4        60.0 tokens/s  TTFT 1 ms  TPOT 1.0 ms  E2E 1400 ms  <- knee" in told


def test_an_overloaded_server_is_given_up(serve: Serve, tmp_path: Path) -> None:
    """One slot and .2 s each is 5 requests/s; at 40 the queue grows by .175 s with each.

    Ninety per cent must have a first token within .3 s: about 60 are judged, so the seventh miss
    or so ends the cell, seconds before the last of them would have been answered.
    """
    endpoint = serve(ttft_ms=200, num_slots=1)
    cell = CellSpec(poisson=40)
    workload = Workload(
        input_tokens=32, output_tokens=2, cells=(cell,), ramp_s=0.1, window_s=1.5, timeout_s=20
    )
    slo = Slo(ttft_ms=300, tpot_ms=100)
    plan = plan_cell(workload, cell, 7, 0, STREAM).with_patience(slo)
    num_judged = sum(request.phase == "window" for request in plan.requests)
    assert plan.patience is not None
    assert plan.patience.max_missed == int(num_judged * 0.1 + 1e-9)
    sent = send_cell(endpoint, plan, tmp_path)
    assert sent.is_given_up
    ended = [x for x in sent.traces if x.is_judged and x.outcome == "ok"]
    assert len(ended) < num_judged
    late = [x for x in ended if (x.first_token_ns or 0) - x.scheduled_ns > 300e6]
    assert len(late) == plan.patience.max_missed + 1


def test_a_rate_that_is_given_up_is_a_cell_like_any_other(serve: Serve, tmp_path: Path) -> None:
    """Its window ends where it was given up, so what the engine said still reaches around it.

    20 of 60 requests/s are answered: of 360 due in 6 s the 37th miss comes after about 2 s.
    """
    cell = CellSpec(poisson=60)
    workload = Workload(
        input_tokens=32, output_tokens=2, cells=(cell,), ramp_s=0.5, window_s=6, timeout_s=8
    )
    slo = Slo(ttft_ms=120, tpot_ms=100)
    plan = plan_cell(workload, cell, 7, 0, STREAM).with_patience(slo)
    with Sender(tmp_path) as sender:
        bench = Bench(serve(ttft_ms=50, num_slots=1), sender, slo, tmp_path)
        found = measure_cell(plan, Turn(0, cell.name, 0, "variant"), bench).cell
    of_server = [why for why in found.invalid if not is_client_fault(why)]
    assert [why.startswith("saturated: given up") for why in of_server] == [True]
    assert found.window_s < 6
    assert (found.metrics["attainment"] or 0) < slo.attainment


def test_a_server_that_keeps_up_is_not_given_up(serve: Serve, tmp_path: Path) -> None:
    cell = CellSpec(poisson=20)
    workload = Workload(
        input_tokens=32, output_tokens=2, cells=(cell,), ramp_s=0.1, window_s=0.6, timeout_s=20
    )
    plan = plan_cell(workload, cell, 7, 0, STREAM).with_patience(Slo(ttft_ms=5000, tpot_ms=5000))
    sent = send_cell(serve(), plan, tmp_path)
    assert not sent.is_given_up
    assert {x.outcome for x in sent.traces if x.is_judged} == {"ok"}


@pytest.mark.parametrize(("share", "allowed"), [(0.9, 4), (1.0, 0), (0.5, 20)])
def test_patience_allows_what_attainment_leaves(share: float, allowed: int) -> None:
    cell = CellSpec(constant=40)
    workload = Workload(
        input_tokens=32, output_tokens=2, cells=(cell,), ramp_s=0, window_s=1, timeout_s=1
    )
    plan = plan_cell(workload, cell, 7, 0, STREAM).with_patience(Slo(attainment=share))
    assert plan.patience is not None
    assert plan.patience.max_missed == allowed
