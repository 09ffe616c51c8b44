"""Does the number of requests in flight grow over the window? Then the cell is saturated.

Source of the test: Mann, Econometrica 13 (1945), against a trend in ten batch means; S >= 27 has a
one-sided p of 0.0083 at n = 10 (Kendall's table). Batch means are not independent, so the growth
must also exceed twice the Poisson spread of a difference, 2 * sqrt(2 * mean).

Example: batch means 1, 2 ... 10 give S = 45; first third 2, last third 9, growth 7; the mean is 5.5
and 2 * sqrt(11) = 6.6, so the cell is saturated.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from evals.results import Trace

NUM_BATCHES = 10
MIN_TREND = 27
MIN_REQUESTS = 30  # three arrivals per batch; below, the batches show single requests


def in_flight_means(traces: Sequence[Trace], start_ns: int, end_ns: int) -> list[float]:
    """Average the requests in flight over ten equal batches of the window."""
    edges = np.linspace(start_ns, end_ns, NUM_BATCHES + 1)
    sent = np.array([trace.sent_ns for trace in traces], dtype=float)
    ended = np.array([trace.end_ns for trace in traces], dtype=float)
    return [
        float(
            np.clip(np.minimum(ended, high) - np.maximum(sent, low), 0, None).sum() / (high - low)
        )
        for low, high in pairwise(edges)
    ]


def trend(values: Sequence[float]) -> int:
    """Mann-Kendall S: pairs that rise less pairs that fall."""
    pairs = [(early, late) for i, early in enumerate(values) for late in values[i + 1 :]]
    return sum((late > early) - (late < early) for early, late in pairs)


def saturation(traces: Sequence[Trace], start_ns: int, end_ns: int) -> str | None:
    """Say how the load grew, or None: it did not, or fewer than 30 requests cannot tell."""
    if sum(trace.is_judged for trace in traces) < MIN_REQUESTS:
        return None
    means = in_flight_means(traces, start_ns, end_ns)
    first, last = float(np.mean(means[:3])), float(np.mean(means[-3:]))
    spread = 2 * math.sqrt(2 * float(np.mean(means)))
    if trend(means) < MIN_TREND or last - first <= spread:
        return None
    return f"in flight grew from {first:.1f} to {last:.1f} over the window (trend S={trend(means)})"
