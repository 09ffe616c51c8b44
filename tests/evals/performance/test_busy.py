import time

import httpx
import pytest

from evals.performance.busy import busy_share, watched
from evals.performance.engine_metrics import EngineSample
from evals.results import SuiteResult
from tests.evals.performance.conftest import Serve


def samples(*counts: tuple[float, float | None]) -> list[EngineSample]:
    """Take (seconds, running) pairs."""
    return [EngineSample(round(at * 1e9), {"running": count}, 1.0) for at, count in counts]


def test_the_worked_example() -> None:
    readings = samples((0.0, 0.0), (0.5, 3.0), (1.5, 1.0), (2.0, 0.0))
    assert busy_share(readings, 2.0) == 0.75


def test_what_was_before_the_asking_does_not_count() -> None:
    readings = samples((0.0, 0.0), (8.0, 2.0), (10.0, 0.0))
    assert busy_share(readings, 10.0) == pytest.approx(0.2)
    assert busy_share(readings, 2.0) == 1.0
    assert busy_share(readings, 4.0) == 0.5


def test_what_ends_within_a_step_is_told_by_its_tokens() -> None:
    """Tokens are counted in the second of three quarters of a second; nothing is seen to run."""
    counts = ((0.0, 10.0), (0.25, 10.0), (0.5, 90.0), (0.75, 90.0))
    readings = [
        EngineSample(round(at * 1e9), {"running": 0.0, "prompt_tokens_total": tokens}, 1.0)
        for at, tokens in counts
    ]
    assert busy_share(readings, 0.75) == pytest.approx(1 / 3)


@pytest.mark.parametrize("readings", [(), ((0.0, 1.0),), ((0.0, 1.0), (1.0, None))])
def test_what_is_not_said_is_unknown(readings: tuple[tuple[float, float | None], ...]) -> None:
    assert busy_share(samples(*readings), 1.0) is None


def result(seconds: float) -> SuiteResult:
    return SuiteResult(
        suite="toy", arm="baseline", path="engine", chance=0.25, num_issued=6, samples=(),
        items_sha256="", rule="", seconds=seconds, prompt_tokens=90,
    )  # fmt: skip


def test_an_engine_at_work_is_watched_while_it_is_asked(serve: Serve) -> None:
    endpoint = serve(ttft_ms=1000)

    def ask() -> SuiteResult:
        started = time.monotonic()
        body = {"prompt": [1, 2], "max_tokens": 1, "model": "scripted"}
        httpx.post(f"{endpoint.base_url}/v1/completions", json=body).raise_for_status()
        time.sleep(1.0)
        return result(time.monotonic() - started)

    share = watched(endpoint, ask).engine_busy_share
    assert share is not None  # how much of it a reading catches is for the machine to say
    assert 0.0 < share <= 1.0


def test_an_engine_that_says_nothing_is_no_idle_engine(serve: Serve) -> None:
    gone = serve().model_copy(update={"base_url": "http://127.0.0.1:9"})
    assert watched(gone, lambda: result(1.0)).engine_busy_share is None


def test_pace_is_told() -> None:
    told = result(3.0).model_copy(update={"engine_busy_share": 0.975}).told()
    assert told.endswith("3 s, 2.0 items/s, 30 tokens/s scored, engine busy 98% of the time")
    written = result(3.0).model_copy(update={"output_tokens": 12, "prompt_tokens": None})
    assert written.told().endswith("3 s, 2.0 items/s, 4 tokens/s written")
    assert result(0.0).told().endswith("0 s")
