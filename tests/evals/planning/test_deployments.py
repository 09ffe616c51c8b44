import pytest

from evals.planning.deployments import Deployment, compare, deployment_of
from evals.results import Memory
from tests.evals.gates.worked import changed, dropped, evidence, updated
from variants.errors import MeasurementError

TTFT, TPOT = "ttft_ms_p99 in closed-8", "tpot_ms_p99 in closed-8"
NAMES = ("cook", "poet", "clerk")


def alone(name: str, **tails: float) -> Deployment:
    return Deployment(name, (name,), 4_100_000_000, {TTFT: tails.get("ttft", 100.0)})


def test_the_worked_example() -> None:
    shared = Deployment("all", NAMES, 4_200_000_000, {TTFT: 150.0, TPOT: 20.0})
    separate = [alone("cook"), alone("poet", ttft=120.0), alone("clerk")]
    found = compare(shared, separate)
    assert found.separate_bytes == 12_300_000_000
    assert found.tail_ratios == {TTFT: 1.25}  # 150 / 120; TPOT was not measured apart
    assert (found.lost_with_a_process, found.lost_when_separate) == (3, 1)
    assert "4,200,000,000 bytes against 12,300,000,000 apart (34%)" in found.reason
    assert "takes 3 adapters down instead of 1" in found.reason


def test_other_adapters_cannot_be_compared() -> None:
    shared = Deployment("all", NAMES, 1, {})
    with pytest.raises(MeasurementError, match="compare the same adapters"):
        compare(shared, [alone("cook"), alone("poet")])


def test_a_deployment_is_read_off_the_evidence() -> None:
    found = changed(evidence(), Memory, updated(peak_process_bytes=5), arm="variant")
    read = deployment_of(found, ("poet",))
    assert (read.peak_bytes, read.adapters, read.tails) == (5, ("poet",), {})
    with pytest.raises(MeasurementError, match="was not measured"):
        deployment_of(changed(evidence(), Memory, dropped), ("poet",))
