"""Bounds of a mean difference when items share a template or a source.

The clustered paired bootstrap: whole clusters are drawn with replacement, so that items which fail
together count once. Source: Cameron, Gelbach and Miller, "Bootstrap-based improvements for
inference with clustered errors", Review of Economics and Statistics 90:414 (2008), pairs cluster
bootstrap. The percentiles are expanded for few clusters: Hesterberg, "What teachers should know
about the bootstrap", The American Statistician 69:371 (2015): instead of the .95 quantile take the
one at Phi(sqrt(K / (K - 1)) t), t Student's .95 quantile with K - 1 degrees of freedom.

Example: K = 10 clusters: t = 1.833, sqrt(10 / 9) = 1.054, Phi(1.932) = .973: the .973 quantile.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from evals.statistics.interval import Interval, check_finite, z_value
from evals.statistics.paired import PairedCounts, score_interval
from variants.errors import MeasurementError

VARIES = 1e-9  # a sum of squares below is rounding
DRAWS = 4000  # a .95 bound then moves by about 1.5 % of a standard error between seeds


def clustered_interval(
    differences: Sequence[float], clusters: Sequence[str], confidence: float, seed: int
) -> Interval:
    """Bound the mean of `differences`, each side at `confidence`, resampling whole clusters.

    Raises:
        MeasurementError: fewer than two clusters, unequal lengths, or a value not finite.
    """
    z_value(confidence)
    sums_K, sizes_K = _cluster_totals(differences, clusters)
    means_D = _resampled_means(sums_K, sizes_K, seed)
    level = _expanded_level(len(sums_K), confidence)
    lower, upper = np.quantile(means_D, [1 - level, level])
    estimate = float(sums_K.sum() / sizes_K.sum())
    return Interval(estimate, float(lower), float(upper), len(differences))


def clustered_tango_interval(
    counts: PairedCounts, differences: Sequence[float], clusters: Sequence[str], confidence: float
) -> Interval:
    """Bound the damage by Tango's score with as many items as the clusters are worth.

    All counts are divided by the design effect, and the quantile is Student's with one degree of
    freedom less than there are clusters: J. N. K. Rao and A. J. Scott, "A simple method for the
    analysis of clustered binary data", Biometrics 48:577 (1992). The design effect is taken at its
    own upper bound: a draw that missed the clusters that fail together has too small a damage and
    too small a design effect at once, and the two errors add up.

    Example: 100 items each in a cluster of its own have a design effect of 1, and Student's
    quantile with 99 degrees of freedom is 1.660 instead of 1.645.

    Raises:
        MeasurementError: fewer than two clusters, unequal lengths, or a value not finite.
    """
    effect = design_effect(differences, clusters, confidence)
    quantile = float(student.ppf(confidence, len(set(clusters)) - 1))
    return score_interval(counts, quantile * math.sqrt(effect))


def design_effect(
    differences: Sequence[float], clusters: Sequence[str], confidence: float | None = None
) -> float:
    """Return how many times as many items clusters ask for, by cluster-robust variance; at least 1.

    With a confidence, its upper bound: the deviation of the estimate is found by leaving out one
    cluster at a time. Sources: Liang and Zeger, "Longitudinal data analysis using generalized
    linear models", Biometrika 73:13 (1986); Kish, Survey Sampling (1965), section 5.4; Efron, "The
    Jackknife, the Bootstrap and Other Resampling Plans" (1982), chapter 3.

    Example: differences 1, 1, 0, 0 in clusters a, a, b, b: about the mean .5 the clusters sum to 1
    and -1, the items to 4 x .25: with their small-sample factors 2/1 and 4/3,
    (1 + 1) * 2 / (1 * 4/3) = 3.

    Raises:
        MeasurementError: fewer than two clusters, unequal lengths, or a value not finite.
    """
    moments_KM = _moments(differences, clusters)
    all_M = moments_KM.sum(axis=0)
    effect = float(_effects(all_M[None])[0])
    if confidence is not None:
        left_K = _effects(all_M - moments_KM)
        num_clusters = len(left_K)
        spread = np.square(left_K - left_K.mean()).sum() * (num_clusters - 1) / num_clusters
        effect += z_value(confidence) * math.sqrt(float(spread))
    return max(1.0, effect)


def _moments(differences: Sequence[float], clusters: Sequence[str]) -> NDArray[np.float64]:
    """List by cluster what a variance is made of: s, n, s^2, s n, n^2, sum of squares, 1."""
    sums_K, sizes_K = _cluster_totals(differences, clusters)
    squares_K, _ = _cluster_totals([value**2 for value in differences], clusters)
    columns = (sums_K, sizes_K, sums_K**2, sums_K * sizes_K, sizes_K**2, squares_K)
    return np.column_stack([*columns, np.ones_like(sums_K)])


def _effects(moments_RM: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the variance over clusters by the variance over items; 1 where nothing varies."""
    s, n, ss, sn, nn, squares, num_clusters = moments_RM.T
    mean = s / n
    with np.errstate(divide="ignore", invalid="ignore"):  # one cluster, or one item, is left
        between = num_clusters / (num_clusters - 1) * (ss - 2 * mean * sn + mean**2 * nn)
        within = n / (n - 1) * (squares - n * mean**2)
        effects: NDArray[np.float64] = between / within
    return np.where(np.isfinite(effects) & (within > VARIES), effects, 1.0)


def _cluster_totals(
    differences: Sequence[float], clusters: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and count by cluster. Shapes: K clusters, D draws, M moments, R sets of clusters."""
    if len(differences) != len(clusters):
        raise MeasurementError(f"{len(differences)} differences in {len(clusters)} cluster labels")
    check_finite("differences", list(differences))
    if len(set(clusters)) < 2:
        raise MeasurementError(f"{len(set(clusters))} cluster; a bound over clusters needs 2")
    _, labels = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    sums_K = np.bincount(labels, weights=np.asarray(differences, dtype=np.float64))
    return sums_K.astype(np.float64), np.bincount(labels).astype(np.float64)


def _resampled_means(
    sums_K: NDArray[np.float64], sizes_K: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """Draw clusters with replacement; those of one sum and size are one kind, drawn by its count.

    Shapes: U kinds. 2,343 items each in a cluster of its own are 3 kinds, not 2,343.
    """
    kinds_U2, counts_U = np.unique(np.column_stack([sums_K, sizes_K]), axis=0, return_counts=True)
    rng, num_clusters = np.random.default_rng(seed), len(sums_K)
    draws_DU = rng.multinomial(num_clusters, counts_U / num_clusters, size=DRAWS)
    means_D: NDArray[np.float64] = (draws_DU @ kinds_U2[:, 0]) / (draws_DU @ kinds_U2[:, 1])
    return means_D


def _expanded_level(num_clusters: int, confidence: float) -> float:
    quantile = float(student.ppf(confidence, num_clusters - 1))
    return NormalDist().cdf(math.sqrt(num_clusters / (num_clusters - 1)) * quantile)
