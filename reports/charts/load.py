"""Throughput or latency against load: one small chart per metric.

Every repeat is a faint dot, their mean a mark, and the whisker Student's t interval over them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import FAIL, ROWS, chart_of, hue, shape
from reports.numbers import rounded

HEIGHT = 190


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


@dataclass(frozen=True, slots=True)
class LoadMetric:
    """What is drawn: its title and unit, and the limit of the SLO where it has one."""

    title: str
    unit: str
    limit: float | None = None


def load_chart(metric: LoadMetric, points: Sequence[Points]) -> Chart:
    """Draw one metric over the cells of a study."""
    rows = [row for one in points for row in _rows(one, metric.unit)]
    base = alt.Chart(ROWS).encode(
        x=alt.X("cell:N", sort=None, title=None, axis=alt.Axis(labelAngle=0, labelLimit=90)),
        xOffset=alt.XOffset("colour:N"),
        color=hue(rows),
    )
    told = base.encode(description=alt.Description("tip:N"))
    height = alt.Y("value:Q", title=metric.unit, scale=alt.Scale(zero=True))
    layers: list[alt.Chart] = [
        told.mark_rule(strokeWidth=2).encode(y=alt.Y("lower:Q", title=metric.unit), y2="upper:Q"),
        base.mark_circle(size=12, opacity=0.4)
        .transform_filter("datum.part == 'repeat'")
        .encode(y=height),
        told.mark_point(filled=True, size=64, opacity=1)
        .transform_filter("datum.part == 'mean'")
        .encode(y=height, shape=shape(rows)),
    ]
    if metric.limit is not None and metric.limit <= 1.5 * max(_tops(points)):
        line = alt.Chart(ROWS).mark_rule(color=FAIL, strokeDash=[4, 3])
        layers.append(line.encode(y=alt.datum(metric.limit)))
    says = f"in {metric.unit} for each cell; the table holds the numbers"
    limit = "" if metric.limit is None else f", SLO {metric.limit:g}"
    return chart_of(f"{metric.title}{limit}", says, rows, layers, HEIGHT)


def _tops(points: Sequence[Points]) -> list[float]:
    return [max(*one.values, one.upper or 0.0) for one in points]


def _rows(one: Points, unit: str) -> list[Datum]:
    bounds = ""
    if one.lower is not None and one.upper is not None:
        bounds = f" [{rounded(one.lower)}, {rounded(one.upper)}]"
    where: Datum = {"cell": one.cell, "arm": one.label, "colour": one.colour}
    mean: Datum = {
        "part": "mean", "value": one.mean, "lower": one.lower, "upper": one.upper,
        "tip": f"{one.label}, {one.cell}: {rounded(one.mean)} {unit}{bounds}, "
        f"{len(one.values)} repeats",
    }  # fmt: skip
    repeats: list[Datum] = [{"part": "repeat", "value": value} for value in one.values]
    return [where | part for part in (*repeats, mean)]
