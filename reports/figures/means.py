"""A figure of one arm in one cell: its mean over the repeats that count, with Student's t bounds.

Example: 10, 12 and 14 tokens/s: mean 12, s = 2, t(.95, 2) = 2.920: 12 -+ 2.920 * 2 / sqrt(3) =
[8.63, 15.37], n = 3. One repeat has no bounds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.results import Cell
from evals.statistics import mean_interval
from reports.blocks import Value
from reports.view import Arm
from reports.words.numbers import NOT_MEASURED, reading

CONFIDENCE = 0.95  # of each bound, as in the gates
Read = Callable[[Cell], float | None]


@dataclass(frozen=True, slots=True)
class Mean:
    """An estimate and its two one-sided bounds; None with a single repeat."""

    estimate: float
    lower: float | None
    upper: float | None
    n: int


def metric(key: str) -> Read:
    """Read a figure that the client measured."""
    return lambda cell: cell.metrics.get(key)


def mean_of(arm: Arm, cell: str, read: Read) -> Mean | None:
    """Bound an arm's figure over the valid repeats of a cell that have it; None: there is none."""
    found = [read(one) for one in arm.cells(cell) if not one.invalid]
    return bounded([value for value in found if value is not None])


def bounded(values: Sequence[float]) -> Mean | None:
    """Bound the mean of a few values; where none is below 0, the mean is not."""
    if not values:
        return None
    if len(values) == 1:
        return Mean(values[0], None, None, 1)
    found = mean_interval(values, CONFIDENCE)
    lower = max(0.0, found.lower) if min(values) >= 0 else found.lower
    return Mean(found.estimate, lower, found.upper, found.n)


def told(mean: Mean | None, unit: str) -> Value:
    """Read a mean with its bounds and the number of repeats behind it."""
    if mean is None:
        return NOT_MEASURED
    if mean.lower is None or mean.upper is None:
        return reading(mean.estimate, unit, note="n\u00a0=\u00a01, no interval")
    bounds = f"[{reading(mean.lower).text}, {reading(mean.upper).text}]"
    return reading(mean.estimate, unit, note=f"{bounds}, n\u00a0=\u00a0{mean.n}")
