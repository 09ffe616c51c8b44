"""Bounds of one proportion: exact (it decides), and Wilson's (it is shown beside figures).

Sources: Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26:404 (1934),
from the binomial distribution itself; Wilson, "Probable inference", JASA 22:209 (1927).

Example: 0 failures of n = 100 at .95: exact upper = 1 - .05^(1/100) = 2.95 %; Wilson
1.645^2 / (100 + 1.645^2) = 2.63 %.
"""

from typing import Literal

from scipy.stats import binomtest

from evals.statistics.interval import Interval, z_value
from variants.errors import MeasurementError


def exact_interval(num_right: int, num_trials: int, confidence: float) -> Interval:
    """Bound a proportion from both sides, each side at `confidence`, never below it.

    Raises:
        MeasurementError: no trials, or more right than trials.
    """
    return _interval(num_right, num_trials, confidence, "exact")


def wilson_interval(num_right: int, num_trials: int, confidence: float) -> Interval:
    """Bound a proportion by its score test, each side at about `confidence`.

    Raises:
        MeasurementError: no trials, or more right than trials.
    """
    return _interval(num_right, num_trials, confidence, "wilson")


def _interval(
    num_right: int, num_trials: int, confidence: float, method: Literal["exact", "wilson"]
) -> Interval:
    z_value(confidence)
    if num_trials < 1 or not 0 <= num_right <= num_trials:
        raise MeasurementError(f"{num_right} of {num_trials} is no proportion")
    bounds = binomtest(num_right, num_trials).proportion_ci(2 * confidence - 1, method)
    return Interval(num_right / num_trials, float(bounds.low), float(bounds.high), num_trials)
