"""Throughput or latency against load: one small chart per metric.

Every repeat is a faint dot, their mean a mark, and the whisker Student's t interval over them.
Cells that differ in load alone stand on an axis of load with a line through their means; others
side by side. On an axis of load the arms stand a little apart, lest their whiskers hide each other.

Example: 3 arms at loads 1 and 8 on a logarithmic axis: apart by .02 * log(8 / 1) = .042 in
logarithms, so at 1 they are drawn at .959, 1 and 1.042.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import FAIL, ROWS, SOFT, chart_of, hue, shape
from reports.charts.limit import limit_line
from reports.words.numbers import rounded

HEIGHT = 190
BREAK = "|"  # between the lines of a label
MOST_LETTERS = 12  # of one line
APART = 0.02  # of the axis, from arm to arm


@dataclass(frozen=True, slots=True)
class Points:
    """One arm's repeats of one metric in one cell."""

    cell: str
    label: str
    colour: int
    values: tuple[float, ...]
    mean: float
    lower: float | None = None
    upper: float | None = None
    load: float | None = None  # where there is an axis of load


@dataclass(frozen=True, slots=True)
class LoadAxis:
    """What the load is, and whether the axis is logarithmic."""

    title: str
    is_log: bool


@dataclass(frozen=True, slots=True)
class LoadMetric:
    """What is drawn: its title and unit, and the limit of the SLO where it has one."""

    title: str
    unit: str
    limit: float | None = None
    share_of_load: float | None = None  # that the SLO asks, of what is in the unit of the axis


def load_chart(metric: LoadMetric, points: Sequence[Points], axis: LoadAxis | None = None) -> Chart:
    """Draw one metric over cells, side by side or along an axis of load."""
    places = [None] * len(points) if axis is None else _places(points, axis)
    rows = [
        row
        for one, place in zip(points, places, strict=True)
        for row in _rows(one, metric.unit, place)
    ]
    layers: list[alt.Chart] = []
    if axis is not None and metric.share_of_load is not None:
        rows += _of_load("offered", points, 1.0) + _of_load("asked", points, metric.share_of_load)
        layers += [_line_of("offered", SOFT), _line_of("asked", FAIL)]
    layers += _marks(rows, metric, _across(points, axis))
    if metric.limit is not None and metric.limit <= 1.5 * max(_tops(points)):
        layers.append(limit_line("y", metric.limit))
    along = "for each cell" if axis is None else f"by {axis.title}"
    says = f"in {metric.unit} {along}; the table holds the numbers"
    limit = "" if metric.limit is None else f", SLO {metric.limit:g}"
    return chart_of(f"{metric.title}{limit}", says, rows, layers, HEIGHT)


def _across(points: Sequence[Points], axis: LoadAxis | None) -> dict[str, Any]:
    """Encode where a mark stands from left to right."""
    if axis is None:
        lines = alt.Axis(labelAngle=0, labelLimit=90, labelExpr=f"split(datum.label, '{BREAK}')")
        nominal = alt.X("place:N", sort=None, title=None, axis=lines)
        return {"x": nominal, "xOffset": alt.XOffset("colour:N")}
    loads = sorted({one.load for one in points if one.load is not None})
    scale = alt.Scale(type="log" if axis.is_log else "linear", zero=False, nice=False, padding=14)
    ticks = alt.Axis(values=loads, format="~g", grid=False)
    return {"x": alt.X("x:Q", title=axis.title, scale=scale, axis=ticks)}


def _marks(rows: Sequence[Datum], metric: LoadMetric, across: dict[str, Any]) -> list[alt.Chart]:
    base = alt.Chart(ROWS).encode(color=hue(rows), **across)
    means = base.transform_filter("datum.part == 'mean'")
    told = means.encode(description=alt.Description("tip:N"))
    away = alt.Axis(titlePadding=8)  # a reader's font may be wider
    height = alt.Y("value:Q", title=metric.unit, scale=alt.Scale(zero=True), axis=away)
    repeats = base.transform_filter("datum.part == 'repeat'")
    marks = [
        told.mark_rule(strokeWidth=2).encode(
            y=alt.Y("lower:Q", title=metric.unit, axis=away), y2="upper:Q"
        ),
        repeats.mark_circle(size=12, opacity=0.4).encode(y=height),
        told.mark_point(filled=True, size=64, opacity=1).encode(y=height, shape=shape(rows)),
    ]
    if "xOffset" in across:
        return marks
    return [means.mark_line(strokeWidth=1.5, opacity=0.5).encode(y=height), *marks]


def _line_of(part: str, colour: str) -> alt.Chart:
    """Draw what goodput would be if every request were good, or just enough of them."""
    only = alt.Chart(ROWS).transform_filter(f"datum.part == '{part}'")
    dashed = only.mark_line(color=colour, strokeWidth=1, strokeDash=[4, 3])
    line: alt.Chart = dashed.encode(x=alt.X("x:Q"), y=alt.Y("value:Q"))
    return line


def _of_load(part: str, points: Sequence[Points], share: float) -> list[Datum]:
    loads = sorted({one.load for one in points if one.load is not None})
    return [{"part": part, "x": load, "value": share * load} for load in loads]


def _places(points: Sequence[Points], axis: LoadAxis) -> list[float]:
    """Return where each mark stands: at its load, a little apart from those of other arms."""
    arms = sorted({one.colour for one in points})
    loads = [_load(one) for one in points]
    low, high = min(loads), max(loads)
    steps = [arms.index(one.colour) - (len(arms) - 1) / 2 for one in points]
    if axis.is_log:
        apart = APART * math.log(high / low)
        return [load * math.exp(step * apart) for load, step in zip(loads, steps, strict=True)]
    return [load + step * APART * (high - low) for load, step in zip(loads, steps, strict=True)]


def _load(one: Points) -> float:
    assert one.load is not None, f"{one.cell} stands on an axis of load, so it has one"
    return one.load


def broken(name: str) -> str:
    """Break a cell's name at its hyphens into lines that fit under a mark.

    Example: closed-2-long-in-shared reads "closed-2-", "long-in-", "shared".
    """
    lines = [""]
    for part in name.split("-"):
        piece = f"{part}-"
        if lines[-1] and len(lines[-1] + piece) > MOST_LETTERS:
            lines.append("")
        lines[-1] += piece
    return BREAK.join(lines).removesuffix("-")


def _tops(points: Sequence[Points]) -> list[float]:
    return [max(*one.values, one.upper or 0.0) for one in points]


def _rows(one: Points, unit: str, place: float | None) -> list[Datum]:
    bounds = ""
    if one.lower is not None and one.upper is not None:
        bounds = f" [{rounded(one.lower)}, {rounded(one.upper)}]"
    where: Datum = {
        "cell": one.cell,
        "place": broken(one.cell),
        "arm": one.label,
        "colour": one.colour,
    }
    if place is not None:
        where |= {"load": one.load, "x": place}
    mean: Datum = {
        "part": "mean", "value": one.mean, "lower": one.lower, "upper": one.upper,
        "tip": f"{one.label}, {one.cell}: {rounded(one.mean)} {unit}{bounds}, "
        f"{len(one.values)} repeats",
    }  # fmt: skip
    repeats: list[Datum] = [{"part": "repeat", "value": value} for value in one.values]
    return [where | part for part in (*repeats, mean)]
