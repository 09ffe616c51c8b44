"""The Pareto front: what each arm keeps in quality, and what it gives in speed and memory."""

import math
from dataclasses import dataclass

from reports.blocks import Block, Chart, Column, Figures, Missing, Section, Table, Value, legend_of
from reports.charts import Mark, Reach, pareto
from reports.figures.cost import cost_of
from reports.figures.front import Candidate, Extent, Place, places
from reports.figures.means import told
from reports.figures.quality_kept import Kept, kept_of, kept_value
from reports.figures.trade_offs import Axis, Figure, axes_of, busiest_cell, value_of
from reports.view import Arm, VariantView, View
from reports.words.numbers import NOT_ASKED

HELD = Kept(0.0, 0.0, 0.0, (), None)  # the baseline's: it is what all are measured against


@dataclass(frozen=True, slots=True)
class _Entry:
    """One arm: what it keeps, and its figure on each axis, in their order."""

    arm: Arm
    kept: Kept | None
    figures: tuple[Figure | None, ...]


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    axes = axes_of(view.told.study)
    entries = [_entry(arm, axes) for arm in view.arms]
    fronts = [_front(at, axis, entries) for at, axis in enumerate(axes)]
    charts = tuple(
        _chart(at, axis, entries, fronts[at]) for at, axis in enumerate(axes) if len(fronts[at]) > 1
    )
    if not charts:
        return (
            Missing(
                "No variant has both a judged suite and a figure of speed or memory, so there is "
                "no trade-off to show. Give the study suites that the policy judges, and cells."
            ),
        )
    legend = legend_of(one.arm for one in entries if any(one.arm.name in found for found in fronts))
    return (Figures(_caption(), legend, charts), _table(view, axes, entries, fronts))


def _caption() -> str:
    return (
        "Up is better. Accuracy: points against the baseline, which is 0; the mean over the suites "
        "that block promotion, that the baseline is clearly above chance in, and that both arms "
        "answered, each by its worst path; bounds are the pooled gate's, where it has them. The "
        "dashed line is the front: arms that no other beats or equals in both figures, by the "
        "estimates. Faint: behind it. Whiskers: 95 % each side. Gains are against the baseline "
        "measured beside each variant, in turns."
    )


def _entry(arm: Arm, axes: tuple[Axis, ...]) -> _Entry:
    kept = kept_of(arm.decision) if isinstance(arm, VariantView) else HELD
    return _Entry(arm, kept, tuple(axis.read(arm) for axis in axes))


def _front(at: int, axis: Axis, entries: list[_Entry]) -> dict[str, Place]:
    """Place all arms that have both figures."""
    candidates = []
    for one in entries:
        figure = one.figures[at]
        if one.kept is not None and figure is not None:
            sign = -1.0 if axis.direction == "lower" else 1.0
            extents = (_extent(_quality(one.kept), 1.0), _extent(figure.reach, sign))
            candidates.append(Candidate(one.arm.name, extents))
    return places(candidates)


def _quality(kept: Kept) -> Reach:
    return Reach(kept.points, kept.lower, kept.upper)


def _extent(reach: Reach, sign: float) -> Extent:
    """Turn it so that more is better; bounds that nobody knows tell nothing apart."""
    lower = -math.inf if reach.lower is None else reach.lower
    upper = math.inf if reach.upper is None else reach.upper
    low, high = sorted((sign * lower, sign * upper))
    return Extent(sign * reach.estimate, low, high)


def _chart(at: int, axis: Axis, entries: list[_Entry], front: dict[str, Place]) -> Chart:
    marks = [
        Mark(
            one.arm.name, one.arm.colour, figure.reach, _quality(one.kept),
            front[one.arm.name].is_on_front,
        )
        for one in entries
        if one.kept is not None and (figure := one.figures[at]) is not None
    ]  # fmt: skip
    better = "left" if axis.direction == "lower" else "right"
    return pareto(axis.title, axis.unit, better, marks)


def _table(
    view: View, axes: tuple[Axis, ...], entries: list[_Entry], fronts: list[dict[str, Place]]
) -> Table:
    price, busiest = view.told.study.price_per_device_hour, busiest_cell(view.told.study)
    cost = (Column("USD per million tokens", "number"),) if price is not None else ()
    names = [axis.name for axis in axes]
    return Table(
        caption="The same in numbers, with every arm: "
        + "; ".join(f"{axis.name}: {axis.says}" for axis in axes)
        + (". Cost: price per device hour / output tokens of an hour." if cost else ".")
        + " Not told apart: the bounds overlap in both figures.",
        columns=(
            Column("Arm"),
            Column("Accuracy", "number"),
            *(Column(f"{axis.name[:1].upper()}{axis.name[1:]}", "number") for axis in axes),
            *cost,
            Column("On the front in"),
        ),
        rows=tuple(
            (
                Value(one.arm.name, colour=one.arm.colour, note=_decided(one.arm)),
                _kept(one),
                *map(value_of, one.figures),
                *([told(cost_of(one.arm, busiest, price), "USD")] if price is not None else []),
                _standing(one.arm.name, names, fronts),
            )
            for one in entries
        ),
    )


def _decided(arm: Arm) -> str:
    decision = arm.decision if isinstance(arm, VariantView) else None
    return decision.outcome if decision else ""


def _kept(one: _Entry) -> Value:
    if one.kept is HELD:
        return Value("0 points", note="by definition")
    return kept_value(one.kept)


def _standing(name: str, axes: list[str], fronts: list[dict[str, Place]]) -> Value:
    """Say where an arm is on the front, by whom it is beaten, and who may be its equal."""
    found = [(axis, front[name]) for axis, front in zip(axes, fronts, strict=True) if name in front]
    if not found:
        return NOT_ASKED
    on = [axis for axis, place in found if place.is_on_front]
    notes = [f"{axis}: {note}" for axis, place in found if (note := _beside(place))]
    return Value(", ".join(on) or "none", note="; ".join(notes), tone="pass" if on else "muted")


def _beside(place: Place) -> str:
    """Say who beats an arm, and who may be its equal for all that the bounds say."""
    sure = [name for name in place.behind if name not in place.not_told_apart]
    parts = (("behind", sure), ("not told apart from", place.not_told_apart))
    return ", ".join(f"{words} {' and '.join(names)}" for words, names in parts if names)


SECTION = Section("pareto", "Pareto front", build)
