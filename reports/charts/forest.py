"""A forest plot drawn one row at a time, to stand in a table beside its numbers.

All rows share one axis. The solid line is no difference, the dashed one the margin; the shaded
side is where damage exceeds the margin.
"""

from dataclasses import dataclass

from markupsafe import Markup

from reports.charts import svg
from reports.numbers import rounded

WIDTH, HEIGHT, PAD = 260, 26, 8


@dataclass(frozen=True, slots=True)
class Axis:
    """The range that every row of one plot shares, and where the margin lies."""

    low: float
    high: float

    @property
    def scale(self) -> svg.Scale:
        """Return values -> pixels."""
        return svg.Scale(self.low, self.high, PAD, WIDTH - PAD)

    def draw(self) -> Markup:
        """Return the axis alone, for the head of the table."""
        marks = (
            svg.text(self.scale(tick), 13, f"{tick:.6g}".replace("-", "−"), "middle", "tick")
            for tick in self.scale.ticks()
        )
        return svg.drawing(WIDTH, 18, "axis of the plot below", *marks)


@dataclass(frozen=True, slots=True)
class Span:
    """An estimate and its interval; an open end is None."""

    label: str
    colour: int
    estimate: float
    lower: float | None
    upper: float | None
    margin: float | None


def axis_of(intervals: tuple[Span, ...]) -> Axis:
    """Return the smallest axis that shows every interval, margin and zero, with some air."""
    ends = [0.0]
    for item in intervals:
        known = (item.estimate, item.lower, item.upper, item.margin)
        ends += [value for value in known if value is not None]
    air = (max(ends) - min(ends)) * 0.08 or 1.0
    return Axis(min(ends) - air, max(ends) + air)


def forest_row(item: Span, axis: Axis) -> Markup:
    """Return one row of the plot."""
    scale, middle = axis.scale, HEIGHT / 2
    low = axis.low if item.lower is None else item.lower
    high = axis.high if item.upper is None else item.upper
    tip = f"{item.label}: {rounded(item.estimate)}, from {rounded(low)} to {rounded(high)}"
    return svg.drawing(
        WIDTH,
        HEIGHT,
        tip,
        svg.line(scale(0), 0, scale(0), HEIGHT, "zero"),
        *_margin(item, scale),
        svg.line(scale(low), middle, scale(high), middle, f"whisker c{item.colour}"),
        svg.mark(scale(item.estimate), middle, item.colour, tip),
    )


def _margin(item: Span, scale: svg.Scale) -> tuple[Markup, ...]:
    if item.margin is None:
        return ()
    x = scale(item.margin)
    return (svg.line(x, 0, x, HEIGHT, "margin"),)
