"""Two arms along one axis: whether the variant breaks earlier, and what it loses at each level.

Damage is paired item by item and bounded by Tango's score at each level alone, so that what a cliff
takes from one level is not averaged away over six.

Worked example: the baseline breaks at 16 tools, the variant at 8: "breaks at 8 tools offered, the
baseline at 16". At 8 tools 12 of 25 items are lost and none is won: 48 points, at least 32.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.results import SuiteResult
from evals.statistics import Interval, tango_interval
from evals.suites.cliffs.break_point import CONFIDENCE, Curve, by_level, counts_of, curve_of
from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both arms' curves, the damage at each level, and what is found, in words."""

    axis: str
    baseline: Curve
    variant: Curve
    damages: dict[float, Interval]  # share of items lost, by level
    finding: str
    is_earlier: bool  # the variant breaks at a lower level


def compare(
    baseline: SuiteResult, variant: SuiteResult, confidence: float = CONFIDENCE
) -> Comparison:
    """Compare two arms.

    Raises:
        MeasurementError: samples without a level, or items that only one arm has.
    """
    curves = [curve_of(one.samples, one.chance, confidence) for one in (baseline, variant)]
    return Comparison(
        axis=baseline.axis,
        baseline=curves[0],
        variant=curves[1],
        damages=_damages(baseline, variant, confidence),
        finding=finding(curves[0], curves[1], baseline.axis),
        is_earlier=is_earlier(curves[0], curves[1]),
    )


def is_earlier(baseline: Curve, variant: Curve) -> bool:
    """Whether the variant breaks at a lower level; one at the floor at once broke before all."""
    if baseline.is_at_floor:
        return False
    if variant.is_at_floor:
        return True
    theirs, mine = baseline.break_point, variant.break_point
    return mine is not None and (theirs is None or mine < theirs)


def finding(baseline: Curve, variant: Curve, axis: str) -> str:
    """Say where the arms break."""
    if baseline.is_at_floor:
        lowest = baseline.standings[0]
        return (
            f"the baseline is right in {lowest.share.estimate:.0%} at {lowest.level:g} {axis}, not "
            "clearly above chance: no break point is defined"
        )
    theirs = _said(baseline, "").removeprefix("breaks ")
    return f"{_said(variant, axis)}, the baseline {theirs}"


def _said(curve: Curve, axis: str) -> str:
    lowest, highest = curve.standings[0].level, curve.standings[-1].level
    unit = f" {axis}" if axis else ""
    if curve.is_at_floor:
        return f"breaks at once, at {lowest:g}{unit}"
    if curve.break_point is None:
        return f"breaks nowhere up to {highest:g}{unit}"
    return f"breaks at {curve.break_point:g}{unit}"


def _damages(
    baseline: SuiteResult, variant: SuiteResult, confidence: float
) -> dict[float, Interval]:
    mine = {sample.item: sample.is_correct is True for sample in variant.samples}
    alone = sorted(mine.keys() ^ {sample.item for sample in baseline.samples})
    if alone:
        raise MeasurementError(f"{len(alone)} items are in one arm only, such as {alone[0]!r}")
    levels = by_level(baseline.samples).items()
    return {
        level: _damage([(one.is_correct is True, mine[one.item]) for one in samples], confidence)
        for level, samples in levels
    }


def _damage(pairs: Sequence[tuple[bool, bool]], confidence: float) -> Interval:
    return tango_interval(counts_of(pairs), confidence)
