"""The share of values inside a limit, from how far inside they lie: sampling by variables.

Counting good requests uses one bit of each. Where values lie far inside the limit, their mean and
spread say more: with d = (limit - mean) / s, the share p inside is bounded from below by solving
T(d sqrt n; n - 1, z(p) sqrt n) = confidence, T the noncentral t. Source: ISO 3951-1 (sampling by
variables); Owen, "A survey of properties and applications of the noncentral t-distribution",
Technometrics 10:445 (1968). Values (here logarithms of latency) are taken for normal; a queue's
exponential tail is lighter in its logarithm, so the bound errs to the safe side.

Example: n = 10, p = .90, confidence .95 belong to d = 2.355 (Owen's table of k).
"""

import math
from statistics import NormalDist

from scipy.optimize import brentq
from scipy.stats import nct

from evals.statistics.interval import z_value
from variants.errors import MeasurementError

NORMAL = NormalDist()
REACH = 8.0  # beyond it a share is 0 or 1 to the last bit


def share_inside(distance: float, num_values: float, confidence: float) -> float:
    """Bound from below the share inside a limit that lies `distance` deviations from the mean.

    Raises:
        MeasurementError: fewer than two (effective) values.
    """
    z_value(confidence)
    if num_values < 2:
        raise MeasurementError(f"{num_values:.3g} values say nothing of their spread")
    root = math.sqrt(num_values)

    def excess(quantile: float) -> float:
        reached = float(nct.cdf(distance * root, num_values - 1, quantile * root))
        if math.isnan(reached):  # scipy gives up far out, where it is 0 or 1
            reached = float(quantile < distance)
        return reached - confidence

    if excess(-REACH) <= 0:
        return 0.0
    if excess(REACH) >= 0:
        return 1.0
    return NORMAL.cdf(float(brentq(excess, -REACH, REACH, xtol=1e-9)))
