"""How much of a suite's time its engine had work, by the engine's own count of running requests.

An engine that waits for its asker tells more of the asker than of itself, so a suite's pace means
something only next to this share. The count is read four times a second; each reading holds until
the next.

Worked example: 0 running for 0.5 s, 3 for 1.0 s and 1 for 0.5 s is busy for 1.5 s of 2: 0.75.
"""

from collections.abc import Callable, Sequence

from evals.performance.endpoint import Endpoint
from evals.performance.engine_metrics import EngineSample, Family, over_window
from evals.performance.scrape import EngineSampler
from evals.results import SuiteResult

NS_PER_S = 1e9
IS_RUNNING = {"running": Family("", "gauge")}  # 1 or 0: its mean over time is the share


def watched(endpoint: Endpoint, ask: Callable[[], SuiteResult]) -> SuiteResult:
    """Ask a suite, and note how busy the engine was in the seconds it took."""
    with EngineSampler(endpoint) as sampler:
        found = ask()
    is_whole = not sampler.failures  # a reading that is missing may hide either
    share = busy_share(sampler.samples, found.seconds) if is_whole else None
    return found.model_copy(update={"engine_busy_share": share})


def busy_share(samples: Sequence[EngineSample], seconds: float) -> float | None:
    """Return the share of the last `seconds` with a running request; None: it was not said."""
    counts = [sample.values["running"] for sample in samples]
    if len(samples) < 2 or None in counts:
        return None
    flags = [
        EngineSample(sample.at_ns, {"running": float(bool(count))}, sample.started_at)
        for sample, count in zip(samples, counts, strict=True)
    ]
    end_ns = samples[-1].at_ns
    start_ns = max(samples[0].at_ns, round(end_ns - seconds * NS_PER_S))  # items are drawn before
    return over_window(flags, IS_RUNNING, start_ns, end_ns).values["running"]
