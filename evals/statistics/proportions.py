"""Exact bounds of one proportion, from the binomial distribution itself.

Source: Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26:404 (1934);
with x right out of n, lower = Beta(1 - confidence; x, n - x + 1), upper =
Beta(confidence; x + 1, n - x).

Example: 0 failures of n = 100 at .95: upper = 1 - .05^(1/100) = 2.95 %.
"""

from scipy.stats import beta

from evals.statistics.interval import Interval, z_value
from variants.errors import MeasurementError


def exact_interval(num_right: int, num_trials: int, confidence: float) -> Interval:
    """Bound a proportion from both sides, each side at `confidence`.

    Raises:
        MeasurementError: no trials, or more right than trials.
    """
    z_value(confidence)
    if num_trials < 1 or not 0 <= num_right <= num_trials:
        raise MeasurementError(f"{num_right} of {num_trials} is no proportion")
    wrong = num_trials - num_right
    lower = float(beta.ppf(1 - confidence, num_right, wrong + 1)) if num_right else 0.0
    upper = float(beta.ppf(confidence, num_right + 1, wrong)) if wrong else 1.0
    return Interval(num_right / num_trials, lower, upper, num_trials)
