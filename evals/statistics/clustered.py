"""Clustered paired bootstrap: bounds of a mean difference when items share a template or a source.

Whole clusters are drawn with replacement, so that items which fail together count once. Source:
Cameron, Gelbach and Miller, "Bootstrap-based improvements for inference with clustered errors",
Review of Economics and Statistics 90:414 (2008), pairs cluster bootstrap. The percentiles are
expanded for few clusters: Hesterberg, "What teachers should know about the bootstrap", The
American Statistician 69:371 (2015): instead of the .95 quantile take the one at
Phi(sqrt(K / (K - 1)) t), t Student's .95 quantile with K - 1 degrees of freedom.

Example: K = 10 clusters: t = 1.833, sqrt(10 / 9) = 1.054, Phi(1.932) = .973: the .973 quantile.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student
from statsmodels.regression.linear_model import OLS

from evals.statistics.interval import Interval, check_finite, z_value
from variants.errors import MeasurementError

HC1, CLUSTER = "HC1", "cluster"  # statsmodels' names of the two sandwich estimators
DRAWS = 4000  # a .95 bound then moves by about 1.5 % of a standard error between seeds


def clustered_interval(
    differences: Sequence[float], clusters: Sequence[str], confidence: float, seed: int
) -> Interval:
    """Bound the mean of `differences`, each side at `confidence`, resampling whole clusters.

    Raises:
        MeasurementError: fewer than two clusters, unequal lengths, or a value not finite.
    """
    z_value(confidence)
    if len(differences) != len(clusters):
        raise MeasurementError(f"{len(differences)} differences in {len(clusters)} cluster labels")
    check_finite("differences", list(differences))
    sums_K, sizes_K = _cluster_totals(differences, clusters)
    if len(sums_K) < 2:
        raise MeasurementError(f"{len(sums_K)} cluster; a bound over clusters needs at least 2")
    means_D = _resampled_means(sums_K, sizes_K, seed)
    level = _expanded_level(len(sums_K), confidence)
    lower, upper = np.quantile(means_D, [1 - level, level])
    estimate = float(sums_K.sum() / sizes_K.sum())
    return Interval(estimate, float(lower), float(upper), len(differences))


def design_effect(differences: Sequence[float], clusters: Sequence[str]) -> float:
    """Return how many times as many items clusters ask for, by cluster-robust variance; at least 1.

    Source: Liang and Zeger, "Longitudinal data analysis using generalized linear models",
    Biometrika 73:13 (1986); Kish, Survey Sampling (1965), section 5.4.

    Example: differences 1, 1, 0, 0 in clusters a, a, b, b: about the mean .5 the clusters sum to 1
    and -1, the items to 4 x .25: with their small-sample factors 2/1 and 4/3,
    (1 + 1) * 2 / (1 * 4/3) = 3.
    """
    check_finite("differences", list(differences))
    values_N = np.asarray(differences, dtype=np.float64)
    plain = _variance(values_N, HC1)
    if plain == 0:
        return 1.0
    _, labels = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    return max(1.0, _variance(values_N, CLUSTER, groups=labels) / plain)


def _variance(values_N: NDArray[np.float64], kind: str, **grouping: NDArray[np.intp]) -> float:
    """Variance of the mean, as the intercept of a regression on nothing else."""
    model = OLS(values_N, np.ones_like(values_N))
    return float(model.fit(cov_type=kind, cov_kwds=grouping or None).cov_params()[0, 0])


def _cluster_totals(
    differences: Sequence[float], clusters: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and count by cluster. Shapes: K clusters, D draws."""
    _, labels = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    sums_K = np.bincount(labels, weights=np.asarray(differences, dtype=np.float64))
    return sums_K.astype(np.float64), np.bincount(labels).astype(np.float64)


def _resampled_means(
    sums_K: NDArray[np.float64], sizes_K: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    num_clusters = len(sums_K)
    shares_K = np.full(num_clusters, 1 / num_clusters)
    draws_DK = np.random.default_rng(seed).multinomial(num_clusters, shares_K, size=DRAWS)
    means_D: NDArray[np.float64] = (draws_DK @ sums_K) / (draws_DK @ sizes_K)
    return means_D


def _expanded_level(num_clusters: int, confidence: float) -> float:
    quantile = float(student.ppf(confidence, num_clusters - 1))
    return NormalDist().cdf(math.sqrt(num_clusters / (num_clusters - 1)) * quantile)
