"""Batch means: bounds of a mean over one long window whose requests hang together.

Requests queue behind each other, so a slow one makes the next slow. Means of long enough batches
hardly hang together; whether they are long enough is asked of their lag-1 correlation. Source: Law
and Kelton, Simulation Modeling and Analysis, section 9.5.3; Fishman and Yarberry, "An
implementation of the batch means method", INFORMS Journal on Computing 9:296 (1997).

Example: 1, 3, 2, 4 in two batches: means 2 and 3; t(.95, 1) = 6.314: 2.5 -+ 6.314 * .7071 /
sqrt(2) = [-.657, 5.657].
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from evals.statistics.interval import Interval, check_finite
from evals.statistics.repeats import mean_interval
from variants.errors import MeasurementError

BATCH_COUNTS = (40, 20, 10)  # tried in turn; under 10 the correlation itself cannot be judged
LAG_CONFIDENCE = 0.95


def batch_means(values: Sequence[float], num_batches: int) -> list[float]:
    """Return the means of equal batches in order; the first values that do not fit are left out.

    Raises:
        MeasurementError: fewer values than batches, or one that is not finite.
    """
    size = len(values) // num_batches
    if size < 1:
        raise MeasurementError(f"{len(values)} values do not fill {num_batches} batches")
    check_finite("values", list(values))
    kept_BN = np.asarray(values[-size * num_batches :], dtype=np.float64).reshape(num_batches, size)
    return [float(mean) for mean in kept_BN.mean(axis=1)]


def lag1_correlation(values: Sequence[float]) -> float:
    """Return the correlation of neighbours; 0 where nothing varies.

    Example: 1, 2, 3, 4 about 2.5: (-1.5 * -.5 - .5 * .5 + .5 * 1.5) / 5 = .25.
    """
    centred_N = np.asarray(values, dtype=np.float64) - np.mean(values)
    total = float(centred_N @ centred_N)
    return float(centred_N[:-1] @ centred_N[1:]) / total if total > 0 else 0.0


def autocorrelation_time(values: Sequence[float]) -> float:
    """Return how many neighbours are worth one independent value; at least 1.

    1 + 2 sum of the autocorrelations, summed in pairs as long as the pairs are positive and fall:
    Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7:473 (1992), initial monotone
    sequence.

    Example: x(i) = .5 x(i-1) + noise has (1 + .5) / (1 - .5) = 3.
    """
    centred_N = np.asarray(values, dtype=np.float64) - np.mean(values)
    total, num = float(centred_N @ centred_N), len(centred_N)
    if total <= 0:
        return 1.0
    at = [float(centred_N[: num - lag] @ centred_N[lag:]) / total for lag in range(1, num)]
    time, before = 1.0, math.inf
    for first, second in zip(at[::2], at[1::2], strict=False):
        pair = min(first + second, before)
        if pair <= 0:
            break
        time, before = time + 2 * pair, pair
    return time


def batch_interval(values: Sequence[float], confidence: float) -> Interval:
    """Bound the mean over batches, as many as do not hang together, each side at `confidence`.

    Raises:
        MeasurementError: even the fewest batches hang together: the window is too short.
    """
    limit = NormalDist().inv_cdf(LAG_CONFIDENCE)
    for num_batches in BATCH_COUNTS:
        means = batch_means(values, num_batches)
        correlation = lag1_correlation(means)
        if correlation <= limit / math.sqrt(num_batches):
            return mean_interval(means, confidence)
    raise MeasurementError(
        f"means of {BATCH_COUNTS[-1]} batches still hang together (lag-1 correlation "
        f"{correlation:.2f}); measure a longer window, or repeats"
    )
