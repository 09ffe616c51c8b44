"""Looks at growing evidence: how far beyond the bound an early PASS must lie.

A FAIL may stop a study at any look: that never promotes anything. A PASS at an early look is one of
several chances to be lucky, so the risk alpha is spent over the looks, little at first. Source: Lan
and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70:659 (1983), with
their spending function of O'Brien-Fleming's shape, alpha*(t) = 2 - 2 Phi(z_(1 - alpha/2) / sqrt t);
the boundaries by the recursion of Armitage, McPherson and Rowe, JRSS A 132:235 (1969).

Example: alpha .025, two looks at half and all of the items: 2.963 and 1.969 instead of 1.960 twice
(R, gsDesign 3.6, `gsDesign(k = 2, test.type = 1, sfu = sfLDOF)`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from variants.errors import MeasurementError

NORMAL = NormalDist()
REACH = 8.0  # standard deviations; what lies beyond is 1e-15
POINTS = 2001  # of the grid under one look's density; the boundary then holds to 1e-4
Grid = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Density:
    """Of the sum S at one look, for the paths that no earlier look has stopped."""

    points_P: Grid
    weights_P: Grid  # density x trapezoid width
    share: float


def spent(share: float, alpha: float) -> float:
    """Return the risk spent once `share` of the planned items is in: all of alpha at 1."""
    quantile = NORMAL.inv_cdf(1 - alpha / 2)
    return 2 - 2 * NORMAL.cdf(quantile / math.sqrt(share))


def pass_boundaries(shares: Sequence[float], alpha: float) -> tuple[float, ...]:
    """Return the normal quantile that a PASS needs at each look.

    Raises:
        MeasurementError: the shares do not rise from above 0 to at most 1.
    """
    if not shares or shares[0] <= 0 or shares[-1] > 1 or any(b <= a for a, b in pairwise(shares)):
        raise MeasurementError(f"looks at {list(shares)} must rise, from above 0 to at most 1")
    boundaries: list[float] = []
    density: _Density | None = None
    before = 0.0
    for share in shares:
        risk = spent(share, alpha) - before
        boundary = _boundary(density, share, risk)
        density = _next_density(density, share, boundary)
        boundaries.append(boundary)
        before += risk
    return tuple(boundaries)


def confidence_at(look: int, shares: Sequence[float], alpha: float) -> float:
    """Return the confidence of the bound that a PASS at the look (from 0) must stay inside."""
    return NORMAL.cdf(pass_boundaries(shares, alpha)[look])


def _boundary(density: _Density | None, share: float, risk: float) -> float:
    """Solve P(no earlier stop, Z at this look >= boundary) = risk."""
    if density is None:
        return NORMAL.inv_cdf(1 - risk)

    def excess(boundary: float) -> float:
        step = math.sqrt(share - density.share)
        beyond = ndtr((density.points_P - boundary * math.sqrt(share)) / step)
        return float(density.weights_P @ beyond) - risk

    return float(brentq(excess, 0.0, REACH, xtol=1e-10))


def _next_density(density: _Density | None, share: float, boundary: float) -> _Density:
    """Carry the paths that go on to this look's sums S = Z sqrt(share) below the boundary."""
    root = math.sqrt(share)
    points_P = np.linspace(-REACH * root, boundary * root, POINTS)
    if density is None:
        heights_P = np.exp(-((points_P / root) ** 2) / 2) / (root * math.sqrt(2 * math.pi))
    else:
        step = math.sqrt(share - density.share)
        gaps_PQ = (points_P[:, None] - density.points_P[None, :]) / step
        kernel_PQ = np.exp(-(gaps_PQ**2) / 2) / (step * math.sqrt(2 * math.pi))
        heights_P = kernel_PQ @ density.weights_P
    widths_P = np.full(POINTS, points_P[1] - points_P[0])
    widths_P[[0, -1]] /= 2
    return _Density(points_P, heights_P * widths_P, share)
