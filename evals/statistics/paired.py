"""Paired difference of two proportions: damage = share right in the baseline minus the variant's.

Only the discordant items matter: `baseline_only` (b) were right in the baseline alone,
`variant_only` (c) in the variant alone, out of n. The bounds are Tango's score bounds: T. Tango,
"Equivalence test and confidence interval for the difference in proportions for the paired-sample
design", Statistics in Medicine 17:891-908 (1998). They solve, for the damage d,

    (b - c - n d) / sqrt(n (2 q + d (1 - d))) = -z (upper) or z (lower)
    q = (sqrt(B^2 - 8 n C) - B) / (4 n),  B = (2 n - b + c) d - b - c,  C = -c d (1 - d)

where q is the most likely share of variant-only items if the damage were d.

Example: no discordant item among n = 100 gives q = 0 and the upper bound z^2 / (n + z^2) =
2.706 / 102.706 = 2.63 points: zero discordance is not zero uncertainty (Wald's bound would be 0).
"""

import math
from dataclasses import dataclass

from scipy.optimize import brentq
from scipy.stats import binom

from evals.statistics.interval import Interval, z_value
from variants.errors import MeasurementError

NUDGE = 1e-9  # the score equation has a second, trivial root at the estimate itself


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Items right in the baseline only, in the variant only, and all items."""

    baseline_only: int
    variant_only: int
    num_items: int

    def __post_init__(self) -> None:
        if min(self.baseline_only, self.variant_only) < 0 or self.num_items < 1:
            raise MeasurementError(f"{self} counts nothing; give at least one item")
        if self.baseline_only + self.variant_only > self.num_items:
            raise MeasurementError(f"{self}: more discordant items than items")

    @property
    def damage(self) -> float:
        """Share of items lost."""
        return (self.baseline_only - self.variant_only) / self.num_items

    @property
    def discordance(self) -> float:
        """Share of items whose correctness changed in either direction."""
        return (self.baseline_only + self.variant_only) / self.num_items

    def mirrored(self) -> "PairedCounts":
        """Swap the arms."""
        return PairedCounts(self.variant_only, self.baseline_only, self.num_items)


def tango_interval(counts: PairedCounts, confidence: float) -> Interval:
    """Bound the damage from both sides, each side at `confidence`.

    Example: b = 28, c = 25, n = 618 at .95 a side gives [-.0148, .0247]
    (R, PropCIs 0.3-0, `scoreci.mp(25, 28, 618, .90)`).
    """
    return score_interval(counts, z_value(confidence))


def score_interval(counts: PairedCounts, z: float) -> Interval:
    """Bound the damage from both sides, `z` standard deviations of the score away."""
    lower = -_upper_bound(counts.mirrored(), z)
    return Interval(counts.damage, lower, _upper_bound(counts, z), counts.num_items)


def _upper_bound(counts: PairedCounts, z: float) -> float:
    if counts.baseline_only == counts.num_items:
        return 1.0

    def excess(damage: float) -> float:
        distance = counts.baseline_only - counts.variant_only - counts.num_items * damage
        return distance + z * _deviation(counts, damage)

    return float(brentq(excess, counts.damage + NUDGE, 1.0, xtol=1e-12))


def _deviation(counts: PairedCounts, damage: float) -> float:
    """Standard deviation of b - c if the damage were `damage`."""
    b, c, n = counts.baseline_only, counts.variant_only, counts.num_items
    linear = (2 * n - b + c) * damage - b - c
    constant = -c * damage * (1 - damage)
    variant_only = (math.sqrt(max(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    return math.sqrt(max(n * (2 * variant_only + damage * (1 - damage)), 0.0))


def mcnemar_harm(counts: PairedCounts) -> float:
    """Return McNemar's exact one-sided p of "the variant is worse".

    It labels harm and never grants a pass. Source: McNemar, Psychometrika 12:153 (1947).

    Example: b = 5, c = 0: P(X >= 5 | X ~ Bin(5, 1/2)) = 1/32 = .031.
    """
    discordant = counts.baseline_only + counts.variant_only
    return float(binom.sf(counts.baseline_only - 1, discordant, 0.5))
