"""How much of a suite's time its engine had work, by the engine's own count of running requests.

An engine that waits for its asker tells more of the asker than of itself, so a suite's pace means
something only next to this share. Its counts are read four times a second: from one reading to the
next it is busy if a request ran at the first, or if tokens were counted since. A request that needs
one step alone, as of options that are scored, is never counted as running: its tokens tell of it.

Worked example: 0 running for 0.5 s, 3 for 1.0 s and 1 for 0.5 s is busy for 1.5 s of 2: 0.75.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from evals.performance.endpoint import Endpoint
from evals.performance.engine_metrics import EngineSample, Family, over_window
from evals.performance.scrape import EngineSampler
from evals.results import SuiteResult

NS_PER_S = 1e9
TOKENS = ("prompt_tokens_total", "generated_tokens_total")
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
    if len(samples) < 2 or any(sample.values["running"] is None for sample in samples):
        return None
    flags = [
        EngineSample(one.at_ns, {"running": float(_is_busy(one, after))}, one.started_at)
        for one, after in zip_longest(samples, samples[1:], fillvalue=samples[-1])
    ]
    end_ns = samples[-1].at_ns
    start_ns = max(samples[0].at_ns, round(end_ns - seconds * NS_PER_S))  # items are drawn before
    return over_window(flags, IS_RUNNING, start_ns, end_ns).values["running"]


def _is_busy(one: EngineSample, after: EngineSample) -> bool:
    """Tell whether a request ran at a reading, or tokens were counted before the next."""
    is_counted = any(one.values.get(name) != after.values.get(name) for name in TOKENS)
    return bool(one.values["running"]) or is_counted
