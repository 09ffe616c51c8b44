"""Quality against one other figure: a mark per arm, whiskers for its bounds, a line for the front.

Marks off the front are faint. Up is better; the title of the axis says which side of it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import ROWS, SOFT, chart_of, hue, shape
from reports.words.numbers import rounded

HEIGHT = 220
FAINT = 0.35  # opacity of what is behind


@dataclass(frozen=True, slots=True)
class Reach:
    """A figure with its bounds; None: it has none."""

    estimate: float
    lower: float | None = None
    upper: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """Return the bounds, or the figure itself where it has none."""
        return (
            self.estimate if self.lower is None else self.lower,
            self.estimate if self.upper is None else self.upper,
        )

    def said(self) -> str:
        """Say it with its bounds."""
        if self.lower is None or self.upper is None or self.lower == self.upper:
            return rounded(self.estimate)
        return f"{rounded(self.estimate)} [{rounded(self.lower)}, {rounded(self.upper)}]"


@dataclass(frozen=True, slots=True)
class Mark:
    """One arm."""

    label: str
    colour: int
    x: Reach
    quality: Reach
    is_on_front: bool


def pareto(title: str, unit: str, better: str, marks: Sequence[Mark]) -> Chart:
    """Draw all arms; `better` is the side of the axis that is better."""
    rows = [_row(mark, unit) for mark in marks]
    base = alt.Chart(ROWS).encode(
        color=hue(rows),
        opacity=alt.Opacity("opacity:Q", scale=None, legend=None),
        description=alt.Description("tip:N"),
    )
    scale = alt.Scale(zero=False, nice=False, padding=12)
    few = alt.Axis(tickCount=5)
    across = alt.X("x:Q", title=f"{unit}, {better} is better", scale=scale, axis=few)
    up = alt.Y("quality:Q", title="accuracy, points", scale=scale, axis=alt.Axis(titlePadding=14))
    low = {"x": alt.X("x_low:Q", scale=scale), "y": alt.Y("quality_low:Q", scale=scale)}
    layers = [
        alt.Chart(ROWS)
        .mark_line(color=SOFT, strokeWidth=1, strokeDash=[4, 3])
        .transform_filter("datum.on_front")
        .encode(x=across, y=up, order="x:Q"),
        base.mark_rule(strokeWidth=1.5).encode(x=low["x"], x2="x_high:Q", y=up),
        base.mark_rule(strokeWidth=1.5).encode(x=across, y=low["y"], y2="quality_high:Q"),
        base.mark_point(filled=True, size=90).encode(x=across, y=up, shape=shape(rows)),
    ]
    says = f"accuracy against {unit}; the table holds the numbers"
    return chart_of(title, says, rows, layers, HEIGHT)


def _row(mark: Mark, unit: str) -> Datum:
    (x_low, x_high), (quality_low, quality_high) = mark.x.ends, mark.quality.ends
    where = "on the front" if mark.is_on_front else "behind the front"
    return {
        "arm": mark.label,
        "colour": mark.colour,
        "x": mark.x.estimate,
        "x_low": x_low,
        "x_high": x_high,
        "quality": mark.quality.estimate,
        "quality_low": quality_low,
        "quality_high": quality_high,
        "on_front": float(mark.is_on_front),
        "opacity": 1.0 if mark.is_on_front else FAINT,
        "tip": f"{mark.label}: {mark.x.said()} {unit}, {mark.quality.said()} points, {where}",
    }
