"""Throughput or latency against load: one small chart per metric.

Every repeat is a faint dot, their mean a mark, and the whisker is Student's t interval over them.
"""

import math
from dataclasses import dataclass

from markupsafe import Markup

from reports.charts import svg
from reports.numbers import rounded

LEFT, TOP, BOTTOM = 46, 30, 30
HEIGHT, SLOT, WIDTH = 236, 76, 360


@dataclass(frozen=True, slots=True)
class Points:
    """One variant's repeats of one metric in one cell."""

    cell: str
    label: str
    colour: int
    values: tuple[float, ...]
    mean: float
    lower: float | None = None
    upper: float | None = None

    @property
    def highest(self) -> float:
        """Return the highest thing to show."""
        return max(*self.values, self.upper or 0.0)


@dataclass(frozen=True, slots=True)
class LoadChart:
    """One metric over the cells of a study."""

    title: str
    unit: str
    cells: tuple[str, ...]
    points: tuple[Points, ...]
    limit: float | None = None

    def draw(self) -> Markup:
        """Return the chart."""
        width = max(WIDTH, LEFT + SLOT * len(self.cells))
        top = max(point.highest for point in self.points)
        step = svg.nice_step(top / 4 or 1.0)
        highest = step * max(1, math.ceil(top / step - 1e-9))  # also where every value is 0
        scale = svg.Scale(0, highest, HEIGHT - BOTTOM, TOP)
        slot = (width - LEFT) / len(self.cells)
        return svg.drawing(
            width,
            HEIGHT,
            f"{self.title} in {self.unit} for each cell; the table below holds the numbers",
            svg.text(0, 14, self.title, class_="title"),
            svg.text(width, 14, self._unit(scale), "end", "unit"),
            *(_grid(scale, value, width) for value in scale.ticks()),
            *(
                svg.text(LEFT + slot * (index + 0.5), HEIGHT - 9, cell, "middle")
                for index, cell in enumerate(self.cells)
            ),
            *_limit(self, scale, width),
            *(self._place(point, scale, slot) for point in self.points),
        )

    def _unit(self, scale: svg.Scale) -> str:
        if self.limit is None:
            return self.unit
        where = "dashed" if self.limit <= scale.high else "above"
        return f"{self.unit}, SLO {self.limit:g} ({where})"

    def _place(self, point: Points, scale: svg.Scale, slot: float) -> Markup:
        colours = sorted({other.colour for other in self.points})
        step = slot * 0.8 / len(colours)
        left = LEFT + slot * (self.cells.index(point.cell) + 0.1)
        return _whisker(point, scale, left + step * (colours.index(point.colour) + 0.5), self.unit)


def _grid(scale: svg.Scale, value: float, width: float) -> Markup:
    y = scale(value)
    label = svg.text(LEFT - 8, y + 4, f"{value:,.6g}", "end", "tick")
    return svg.line(LEFT, y, width, y, "grid") + label


def _limit(chart: LoadChart, scale: svg.Scale, width: float) -> tuple[Markup, ...]:
    if chart.limit is None or chart.limit > scale.high:
        return ()
    y = scale(chart.limit)
    return (svg.line(LEFT, y, width, y, "margin"),)


def _whisker(point: Points, scale: svg.Scale, x: float, unit: str) -> Markup:
    dots = (
        svg.element("circle", cx=x, cy=scale(value), r=2, class_=f"dot c{point.colour}")
        for value in point.values
    )
    stem = Markup("")
    tip = f"{point.label}, {point.cell}: {rounded(point.mean)} {unit}"
    if point.lower is not None and point.upper is not None:
        stem = svg.line(x, scale(point.lower), x, scale(point.upper), f"whisker c{point.colour}")
        tip += f" [{rounded(point.lower)}, {rounded(point.upper)}]"
    tip += f", {len(point.values)} repeats"
    return svg.element("g", stem, *dots, svg.mark(x, scale(point.mean), point.colour, tip))
