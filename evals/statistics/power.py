"""Power of a paired comparison of proportions: required items, smallest margin, chance to pass.

Source: Connor, "Sample size for testing differences in proportions for the paired-sample design",
Biometrics 43:207 (1987), at the variance of the alternative; zero discordance is not zero
uncertainty, so no answer is below what Tango's bound needs with none (research/evaluation.md 3.2).

Example: margin .02, discordance .09, .95: (1.645 + .842)^2 * .09 / .02^2 = 1391.1 -> 1392 items.
"""

import math
from statistics import NormalDist

from evals.statistics.interval import POWER, z_value


def required_items(
    margin: float, discordance: float, confidence: float, damage: float = 0.0
) -> int | None:
    """Return the items that settle `margin` with power .8, or None if the damage is the margin.

    n = (z_confidence + z_power)^2 (discordance - damage^2) / (margin - damage)^2, and never fewer
    than zero discordance needs: z^2 (1 - margin) / margin. A damage beyond the margin gives the
    items that would show harm.
    """
    distance = abs(margin - damage)
    if distance == 0 or margin <= 0:
        return None
    z = z_value(confidence)
    variance = max(discordance - damage**2, 0.0)
    normal = (z + z_value(POWER)) ** 2 * variance / distance**2
    return math.ceil(max(normal, z**2 * (1 - margin) / margin))


def detectable_damage(num_items: int, discordance: float, confidence: float) -> float:
    """Return the smallest damage that `num_items` tell from none with power .8 (MDE).

    It is also the smallest margin at which a lossless variant passes four times in five.

    Example: n = 500, discordance .09, .95: 2.4865 * sqrt(.09 / 500) = 3.34 points.
    """
    z = z_value(confidence)
    normal = (z + z_value(POWER)) * math.sqrt(discordance / num_items)
    return max(normal, z**2 / (num_items + z**2))


def power_to_pass(
    margin: float, num_items: int, discordance: float, confidence: float, damage: float = 0.0
) -> float:
    """Return the chance that the upper bound stays inside the margin (normal approximation).

    Example: margin .02, n = 1392, discordance .09, no damage: Phi(.02 sqrt(1392 / .09) - 1.645) =
    Phi(.842) = .80.
    """
    z = z_value(confidence)
    if margin < z**2 / (num_items + z**2):
        return 0.0
    deviation = math.sqrt(max(discordance - damage**2, 0.0) / num_items)
    if deviation == 0:
        return float(damage < margin)
    return NormalDist().cdf((margin - damage) / deviation - z)
