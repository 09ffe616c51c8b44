"""An estimate with its two one-sided bounds.

Each bound holds alone at the stated confidence: a pair at .95 is a two-sided interval at .90.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from variants.errors import MeasurementError

POWER = 0.8  # convention of Cohen (1988), used in every table of research/evaluation.md


@dataclass(frozen=True, slots=True)
class Interval:
    """Estimate, one-sided lower and upper bound, and the number of units behind them."""

    estimate: float
    lower: float
    upper: float
    n: int


def z_value(confidence: float) -> float:
    """Return the normal quantile: 1.645 at .95.

    Raises:
        MeasurementError: the confidence is not inside (.5, 1).
    """
    if not 0.5 < confidence < 1:
        raise MeasurementError(f"confidence is {confidence}; give a number between .5 and 1")
    return NormalDist().inv_cdf(confidence)


def check_finite(name: str, values: list[float]) -> None:
    """Refuse NaN and infinities.

    Raises:
        MeasurementError: one of the values is not finite.
    """
    bad = [value for value in values if not math.isfinite(value)]
    if bad:
        raise MeasurementError(
            f"{name} holds {bad[0]}; a value that is not finite was not measured"
        )
