"""Success along an axis (tools, turns, tokens, requests in flight), and where each arm breaks."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.results import SuiteResult
from evals.statistics import Interval
from evals.suites.cliffs import Comparison, Curve, Standing, compare, curve_of
from reports.blocks import Block, Chart, Column, Figures, Missing, Section, Table, Value, legend_of
from reports.charts import LevelLine, LevelPoint, levels
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, interval, reading
from variants.errors import MeasurementError

Key = tuple[str, str]  # suite and path


@dataclass(frozen=True, slots=True)
class _Answered:
    """One arm's answers along an axis, beside the baseline's where both can be compared."""

    arm: Arm
    result: SuiteResult
    curve: Curve
    comparison: Comparison | None


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = _found(view)
    if not found:
        return (Missing("No suite was asked along an axis: no cliff was looked for."),)
    return (
        _figures(found),
        _breaks(found),
        *(_table(*key, answered) for key, answered in found.items()),
    )


def _found(view: View) -> dict[Key, list[_Answered]]:
    """Gather by suite and path, the baseline first."""
    baselines = {
        (one.suite, one.path): one for one in view.baseline.payloads(SuiteResult) if _has_axis(one)
    }
    found: dict[Key, list[_Answered]] = {}
    for arm in view.arms:
        for result in arm.payloads(SuiteResult):
            if _has_axis(result):
                key = (result.suite, result.path)
                beside = baselines.get(key) if arm is not view.baseline else None
                found.setdefault(key, []).append(_answered(arm, result, beside))
    return dict(sorted(found.items()))


def _has_axis(result: SuiteResult) -> bool:
    is_arm = result.arm != "null" and bool(result.axis) and bool(result.samples)
    return is_arm and all(sample.level is not None for sample in result.samples)


def _answered(arm: Arm, result: SuiteResult, baseline: SuiteResult | None) -> _Answered:
    curve = curve_of(result.samples, result.chance)
    try:
        found = compare(baseline, result) if baseline else None
    except MeasurementError:  # other items: shown by itself; the gate says why it cannot be judged
        found = None
    return _Answered(arm, result, curve, found)


def _figures(found: dict[Key, list[_Answered]]) -> Figures:
    return Figures(
        caption="Share of right answers at each level, with exact 95 % bounds; the same base items "
        "at every level. The solid line is chance.",
        legend=legend_of(one.arm for answered in found.values() for one in answered),
        charts=tuple(_chart(*key, answered) for key, answered in found.items()),
    )


def _chart(suite: str, path: str, answered: Sequence[_Answered]) -> Chart:
    lines = tuple(
        LevelLine(one.arm.name, one.arm.colour, tuple(map(_point, one.curve.standings)))
        for one in answered
    )
    first = answered[0].result
    return levels(f"{suite} ({path})", first.axis, lines, 100 * first.chance)


def _point(one: Standing) -> LevelPoint:
    share = one.share
    return LevelPoint(
        one.level, 100 * share.estimate, 100 * share.lower, 100 * share.upper, share.n
    )


def _breaks(found: dict[Key, list[_Answered]]) -> Table:
    return Table(
        caption="Break point: the first level whose upper bound lies below half of what lies above "
        "chance at the lowest level. It is not defined where an arm is at the floor there.",
        columns=(Column("Suite"), Column("Arm"), Column("Break point"), Column("Finding")),
        rows=tuple(_break(key, one) for key, answered in found.items() for one in answered),
    )


def _break(key: Key, one: _Answered) -> tuple[Value, ...]:
    suite, path = key
    found = one.comparison
    return (
        Value(suite, note=path),
        Value(one.arm.name, colour=one.arm.colour),
        _break_point(one),
        NOT_ASKED
        if found is None
        else Value(found.finding, tone="fail" if found.is_earlier else "plain"),
    )


def _break_point(one: _Answered) -> Value:
    curve = one.curve
    if curve.is_at_floor:
        return Value("not defined", note="at the floor", tone="muted")
    if curve.break_point is None:
        return Value("none seen", note=f"up to {curve.standings[-1].level:g}")
    return Value(f"{curve.break_point:g} {one.result.axis}")


def _table(suite: str, path: str, answered: Sequence[_Answered]) -> Table:
    return Table(
        caption=f"{suite} ({path}), by {answered[0].result.axis}. Lost to the baseline: paired "
        "item by item. Since the lowest level: of the same base items, right there and not here, "
        "less the reverse. Bounds are of 95 % each side.",
        columns=(
            Column("Level"),
            Column("Arm"),
            Column("Items", "number"),
            Column("Right", "number"),
            Column("Lost to the baseline", "number"),
            Column("Lost since the lowest level", "number"),
        ),
        rows=tuple(
            _row(one, standing)
            for standing_at in range(max(len(one.curve.standings) for one in answered))
            for one in answered
            for standing in one.curve.standings[standing_at : standing_at + 1]
        ),
        is_stacked=False,
    )


def _row(one: _Answered, standing: Standing) -> tuple[Value, ...]:
    share = standing.share
    damage = one.comparison.damages.get(standing.level) if one.comparison else None
    bounds = f"[{100 * share.lower:.1f}, {100 * share.upper:.1f}]"
    return (
        Value(f"{standing.level:g}"),
        Value(one.arm.name, colour=one.arm.colour),
        Value(f"{share.n:,}"),
        reading(100 * share.estimate, "%", note=bounds),
        _points(damage),
        _points(standing.lost),
    )


def _points(found: Interval | None) -> Value:
    if found is None:
        return NOT_ASKED
    return interval(100 * found.estimate, 100 * found.lower, 100 * found.upper, "points")


SECTION = Section("cliffs", "Cliffs", build)
