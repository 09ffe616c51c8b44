"""Latencies of single requests as they are told: quantiles, tails with bounds, how requests ended.

Source of the floors: those of `evals.performance.percentiles`, and for p99.9 by the same rule, the
smallest n at which at most one of n requests above the percentile has a chance below .01:
.999^6636 + 6636 * .001 * .999^6635 = .0013 + .0087 = .0100.

Example: 700 requests, 140 in each of 5 repeats: p50, p90 and p99 (700 >= 662) of all of them, no
p99.9; bounds on p50 and p90 (140 >= 64) from the five repeats' own, none on p99 (140 < 662).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evals.performance.percentiles import SAMPLE_FLOORS
from evals.statistics import mean_interval

FLOORS = {0.5: SAMPLE_FLOORS[50], 0.9: SAMPLE_FLOORS[90], 0.99: SAMPLE_FLOORS[99], 0.999: 6636}
# Where the quantile function is kept: each 2.5 % of the middle, closer towards both ends.
PROBABILITIES = (
    0.0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.04,
    *(at / 1000 for at in range(50, 900, 25)),
    *(at / 100 for at in range(90, 99)),
    0.99, 0.992, 0.994, 0.996, 0.998, 0.999, 0.9995, 0.9999, 1.0,
)  # fmt: skip
CONFIDENCE = 0.95  # of each bound, as in the gates


@dataclass(frozen=True, slots=True)
class Tail:
    """One percentile of one latency; None below the floor, and no bound below it in two repeats."""

    probability: float
    value_ms: float | None
    lower_ms: float | None = None  # Student's t over the repeats' own percentiles
    upper_ms: float | None = None
    num_repeats: int = 0  # with enough requests for a percentile of their own


@dataclass(frozen=True, slots=True)
class Distribution:
    """One latency of one arm in one cell, of judged requests that ended ok in valid repeats."""

    arm: str
    cell: str
    metric: str  # as in `evals.performance.metrics`: ttft_ms, tpot_ms, e2e_ms
    n: int
    quantiles_ms: tuple[float, ...]  # at PROBABILITIES
    tails: tuple[Tail, ...]  # at FLOORS

    def seen(self) -> tuple[tuple[float, float], ...]:
        """Return probability and ms where at least one request lies beyond, and the largest."""
        pairs = zip(PROBABILITIES, self.quantiles_ms, strict=True)
        return tuple(pair for pair in pairs if pair[0] == 1 or pair[0] <= 1 - 1 / self.n)


class LostTraces(NamedTuple):
    """A repeat whose traces cannot be shown, and why."""

    repeat: str
    why: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the requests that arrived inside the window ended, over all repeats of one cell."""

    arm: str
    cell: str
    counts: tuple[tuple[str, int], ...]  # outcome -> requests
    lost: tuple[LostTraces, ...] = ()

    def num(self, outcome: str) -> int:
        """Return how many ended so."""
        return dict(self.counts).get(outcome, 0)


class Quantiles(NamedTuple):
    """What was aggregated of one group of requests."""

    n: int
    values_ms: tuple[float, ...]  # at PROBABILITIES


def tails_of(pooled: Quantiles, repeats: Sequence[Quantiles]) -> tuple[Tail, ...]:
    """Give every percentile that the sample is large enough for, bounded over repeats."""
    return tuple(_tail(probability, pooled, repeats) for probability in FLOORS)


def _tail(probability: float, pooled: Quantiles, repeats: Sequence[Quantiles]) -> Tail:
    at, floor = PROBABILITIES.index(probability), FLOORS[probability]
    if pooled.n < floor:
        return Tail(probability, None)
    own = [one.values_ms[at] for one in repeats if one.n >= floor]
    if len(own) < 2:
        return Tail(probability, pooled.values_ms[at], num_repeats=len(own))
    bound = mean_interval(own, CONFIDENCE)
    lower = max(0.0, bound.lower)  # nothing takes less than no time
    return Tail(probability, pooled.values_ms[at], lower, bound.upper, len(own))
