"""The highest rate at which the SLO is attained: bracketed geometrically, then bisected.

The search goes by attainment, which falls as the rate rises; goodput itself rises and falls again,
so a search on it can stop on either side of its peak. A rate passes only if the lower bound of its
attainment, over repeats, meets the target: a rate that passes by its mean alone does not. Half a
bracket that is undecided counts as failed, so the answer errs to the safe side. The answer is
confirmed with fresh repeats, since the best of several looks is too good by selection; where it is
not confirmed, the next lower rate that passed is tried.

Example: target .9, start at 1 request/s, precision 10 %: 1 passes, 2 passes, 4 fails; 2.83 (the
geometric mean) fails, 2.38 passes, 2.59 fails: 2.59 / 2.38 < 1.1, so 2.38 is confirmed or not.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from evals.statistics import Interval
from variants.errors import MeasurementError

MAX_DOUBLINGS = 12  # from 1 to 4,096 requests/s, or down to 1 in 4,096 s
Look = Callable[[float, bool], Interval]  # rate, whether it confirms -> attainment over repeats


@dataclass(frozen=True, slots=True)
class Probe:
    """One rate that was looked at."""

    rate: float
    attainment: Interval
    passes: bool
    is_confirmation: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The answer, and every look that led to it."""

    rate: float | None  # None: not even the lowest rate was confirmed
    probes: tuple[Probe, ...]


def highest_rate(look: Look, target: float, start: float, precision: float = 0.1) -> Found:
    """Find the highest rate whose attainment is shown to meet the target.

    Args:
        look: measures a rate anew; its second argument says that the measurement confirms.
        target: attainment asked, in (0, 1].
        start: requests per second to begin with.
        precision: the answer is within this share of a rate that did not pass.

    Raises:
        MeasurementError: a start or precision that is not positive, or no rate fails.
    """
    if start <= 0 or precision <= 0:
        raise MeasurementError(f"start {start:g} and precision {precision:g} must be above 0")
    search = _Search(look, target)
    low, high = search.bracket(start)
    while low is not None and high / low > 1 + precision:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if search.passes(middle) else (low, middle)
    return Found(search.confirmed(), tuple(search.probes))


class _Search:
    """The looks of one search."""

    def __init__(self, look: Look, target: float) -> None:
        self._look = look
        self._target = target
        self.probes: list[Probe] = []

    def passes(self, rate: float, is_confirmation: bool = False) -> bool:
        """Look at a rate; only a lower bound at the target passes."""
        attainment = self._look(rate, is_confirmation)
        passes = attainment.lower >= self._target
        self.probes.append(Probe(rate, attainment, passes, is_confirmation))
        return passes

    def bracket(self, start: float) -> tuple[float | None, float]:
        """Double or halve until one rate passes and the next does not; None: none passes.

        Raises:
            MeasurementError: every rate passes; the server is faster than can be asked.
        """
        if not self.passes(start):
            for step in range(1, MAX_DOUBLINGS + 1):
                if self.passes(start / 2**step):
                    return start / 2**step, start / 2 ** (step - 1)
            return None, start
        for step in range(1, MAX_DOUBLINGS + 1):
            if not self.passes(start * 2**step):
                return start * 2 ** (step - 1), start * 2**step
        raise MeasurementError(
            f"every rate up to {start * 2**MAX_DOUBLINGS:g}/s attains the target; start higher"
        )

    def confirmed(self) -> float | None:
        """Measure the highest rate that passed once more; go down until one passes twice."""
        passed = sorted({probe.rate for probe in self.probes if probe.passes}, reverse=True)
        return next((rate for rate in passed if self.passes(rate, is_confirmation=True)), None)
