"""Paired continuous metrics (log-likelihood, length): bootstrap bounds and a permutation p.

Sources: Efron, "Better bootstrap confidence intervals", JASA 82:171 (1987), bias-corrected and
accelerated; Pitman, "Significance tests which may be applied to samples from any populations",
Supplement to JRSS 4:119 (1937): if the arms are exchangeable, each difference may change its sign.

Example: differences 1, 2, 3, 4: of the 16 ways to set signs only one has a mean of 2.5 or more, so
p = 1 / 16.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap, permutation_test

from evals.statistics.interval import Interval, check_finite, z_value
from variants.errors import MeasurementError

DRAWS = 9999  # scipy's own default: the .95 bound then moves by 1 % of a standard error
SIGN_FLIPS = 2**15


def bootstrap_interval(differences: Sequence[float], confidence: float, seed: int) -> Interval:
    """Bound the mean of paired differences, each side at `confidence`.

    Raises:
        MeasurementError: fewer than two differences, or one that is not finite.
    """
    z_value(confidence)
    values_N = _checked(differences)
    mean = float(values_N.mean())
    if np.ptp(values_N) == 0:  # no spread to resample: the bound is the value, n says how little
        return Interval(mean, mean, mean, len(values_N))
    drawn = bootstrap(
        (values_N,),
        np.mean,
        n_resamples=DRAWS,
        confidence_level=2 * confidence - 1,
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(mean, float(drawn.low), float(drawn.high), len(values_N))


def sign_flip_p(differences: Sequence[float], seed: int) -> float:
    """Return the one-sided p of "the mean is above 0" over sign flips; exact up to 15 pairs.

    Example: Darwin's 15 pairs of maize, p = 863 / 32768 (Fisher, The Design of Experiments, 1935).

    Raises:
        MeasurementError: fewer than two differences, or one that is not finite.
    """
    found = permutation_test(
        (_checked(differences),),
        np.mean,
        permutation_type="samples",
        alternative="greater",
        n_resamples=SIGN_FLIPS,
        batch=1000,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _checked(differences: Sequence[float]) -> NDArray[np.float64]:
    if len(differences) < 2:
        raise MeasurementError(f"{len(differences)} differences; a bound needs at least 2")
    check_finite("differences", list(differences))
    return np.asarray(differences, dtype=np.float64)
