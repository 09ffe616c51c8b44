from typing import Any

import pytest

from evals.gates import Verdict, judge_gate
from evals.gates.kinds import LimitGate
from evals.results import Cell, Evidence, Memory, StartUp
from tests.evals.gates.worked import QUICK, STUDY, added, changed, evidence, updated

PRICED = STUDY.model_copy(update={"price_per_device_hour": 3.6})


def limit(metric: str, unit: str, most: float, **fields: Any) -> LimitGate:
    known: dict[str, Any] = {"id": "g", "tier": "required", "direction": "lower"}
    return LimitGate(**(known | {"metric": metric, "unit": unit, "limit": most} | fields))


def judged(gate: LimitGate, found: Evidence) -> Verdict:
    return judge_gate(gate, found, PRICED, QUICK)


@pytest.mark.parametrize(("most", "outcome"), [(9.0, "PASS"), (8.0, "INCONCLUSIVE"), (7.0, "FAIL")])
def test_a_figure_of_cells_is_bounded_over_repeats(most: float, outcome: str) -> None:
    # 10 ms / 1.25 = 8 ms with repeats of .98 to 1.02 of it
    assert judged(limit("tpot_ms", "ms", most, cells="closed"), evidence()).outcome == outcome


def test_cost_follows_from_throughput_and_price() -> None:
    # 125 tokens/s are 450,000 an hour; at 3.6 USD an hour a million cost 8 USD
    gate = limit("cost_usd_per_million_tokens", "USD/million tokens", 9.0, cells="closed")
    verdict = judged(gate, evidence())
    assert verdict.outcome == "PASS"
    assert verdict.estimate == pytest.approx(8.0, abs=0.02)
    assert judge_gate(gate, evidence(), STUDY, QUICK).outcome == "INCONCLUSIVE"  # no price


def test_memory_and_start_up_are_single_measurements() -> None:
    peaks = changed(evidence(), Memory, updated(peak_process_bytes=5000), arm="variant")
    verdict = judged(limit("peak_process_bytes", "bytes", 5000), peaks)
    assert (verdict.outcome, verdict.n) == ("PASS", 1)
    assert "no interval" in verdict.reason
    assert judged(limit("peak_process_bytes", "bytes", 4999), peaks).outcome == "FAIL"
    assert judged(limit("peak_process_bytes", "bytes", 9e9), evidence()).outcome == "INCONCLUSIVE"
    started = added(evidence(), StartUp(arm="variant", temperature="warm", ready_s=21))
    assert judged(limit("warm_start_s", "s", 30), started).outcome == "PASS"
    assert judged(limit("cold_start_s", "s", 30), started).outcome == "INCONCLUSIVE"


@pytest.mark.parametrize(
    "gate",
    [
        limit("joules", "J", 1),
        limit("tpot_ms", "s", 1),
        limit("tpot_ms", "ms", 100, direction="higher"),
        limit("energy_j_per_token", "J/token", 1),
    ],
)
def test_what_cannot_be_asked_passes_nothing(gate: LimitGate) -> None:
    assert judged(gate, evidence()).outcome == "INCONCLUSIVE"


def test_an_invalid_repeat_leaves_too_few() -> None:
    spoilt = changed(evidence(), Cell, updated(invalid=("late",)), repeat=0, arm="variant")
    assert judged(limit("tpot_ms", "ms", 100), spoilt).outcome == "INCONCLUSIVE"
