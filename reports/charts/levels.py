"""Shares of right answers along an axis: one line an arm, a whisker for the bounds.

Levels are set at even distances, for most axes double from one to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import ROWS, chart_of, hue, shape
from reports.charts.limit import level_line
from reports.words.numbers import rounded

HEIGHT = 190


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """One arm's share at one level, in %, with its bounds."""

    level: float
    share: float
    lower: float
    upper: float
    n: int


@dataclass(frozen=True, slots=True)
class LevelLine:
    """One arm along the axis."""

    label: str
    colour: int
    points: tuple[LevelPoint, ...]


def levels(title: str, axis: str, lines: Sequence[LevelLine], chance: float) -> Chart:
    """Draw all arms along one axis; chance is in %."""
    rows = [_row(line, point) for line in lines for point in line.points]
    base = alt.Chart(ROWS).encode(
        x=alt.X("level:O", title=axis, axis=alt.Axis(labelAngle=0)),
        color=hue(rows),
    )
    share = alt.Y("share:Q", title="% right", scale=alt.Scale(domain=[0, 100]))
    beside = {"xOffset": alt.XOffset("colour:N"), "description": alt.Description("tip:N")}
    layers = [
        level_line("y", chance),
        base.mark_line(strokeWidth=1.5, opacity=0.5).encode(y=share),
        base.mark_rule(strokeWidth=2).encode(y=alt.Y("lower:Q"), y2="upper:Q", **beside),
        base.mark_point(filled=True, size=64, opacity=1).encode(
            y=share, shape=shape(rows), **beside
        ),
    ]
    says = f"share of right answers in % by {axis}; the table holds the numbers"
    return chart_of(title, says, rows, layers, HEIGHT)


def _row(line: LevelLine, point: LevelPoint) -> Datum:
    return {
        "arm": line.label,
        "colour": line.colour,
        "level": point.level,
        "share": point.share,
        "lower": point.lower,
        "upper": point.upper,
        "tip": f"{line.label}, {point.level:g}: {rounded(point.share)} % "
        f"[{rounded(point.lower)}, {rounded(point.upper)}], {point.n} items",
    }
