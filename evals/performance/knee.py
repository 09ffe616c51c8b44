"""Where more concurrency stops paying: the knee of throughput against latency.

The knee is where throughput / response time, its power, is highest. Source: Kleinrock, "Power and
deterministic rules of thumb for probabilistic problems in computer communications", ICC (1979).

Example: 1, 2, 4 and 8 requests at once give 20, 38, 60 and 64 tokens/s with answers after 1.0, 1.1,
1.4 and 2.6 s: power 20, 34.5, 42.9 and 24.6, so the knee is 4.
"""

from collections.abc import Sequence

from evals.results import Result


class Level(Result):
    """One concurrency of a sweep, over its repeats."""

    concurrency: int
    output_tokens_per_s: float
    e2e_ms: float
    ttft_ms: float
    tpot_ms: float


def knee(levels: Sequence[Level]) -> int | None:
    """Return the concurrency of highest power; None where the sweep ends before power falls."""
    if len(levels) < 3:
        return None
    powers = [level.output_tokens_per_s / level.e2e_ms for level in levels]
    best = powers.index(max(powers))
    return None if best == len(levels) - 1 else levels[best].concurrency
