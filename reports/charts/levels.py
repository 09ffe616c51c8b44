"""Shares of right answers along an axis: one line an arm, a whisker for the bounds.

Levels are set at even distances, for most axes double from one to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from reports.charts import svg
from reports.numbers import rounded

LEFT, TOP, BOTTOM = 46, 30, 30
HEIGHT, WIDTH = 236, 360


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """One arm's share at one level, in %, with its bounds."""

    level: str
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


@dataclass(frozen=True, slots=True)
class LevelChart:
    """All arms along one axis."""

    title: str
    axis: str
    levels: tuple[str, ...]
    lines: tuple[LevelLine, ...]
    chance: float  # %

    def draw(self) -> Markup:
        """Return the chart."""
        scale = svg.Scale(0, 100, HEIGHT - BOTTOM, TOP)
        label = f"{self.title}: share of right answers in % by {self.axis}; the table holds them"
        return svg.drawing(
            WIDTH,
            HEIGHT,
            label,
            svg.text(0, 14, self.title, class_="title"),
            svg.text(WIDTH, 14, f"% right by {self.axis}", "end", "unit"),
            *(_grid(scale, value) for value in scale.ticks()),
            svg.line(LEFT, scale(self.chance), WIDTH, scale(self.chance), "zero"),
            *(
                svg.text(self._x(level), HEIGHT - 9, level, "middle", "tick")
                for level in self.levels
            ),
            *(self._line(line, at, scale) for at, line in enumerate(self.lines)),
        )

    def _x(self, level: str, shift: float = 0.0) -> float:
        slot = (WIDTH - LEFT) / len(self.levels)
        return LEFT + slot * (self.levels.index(level) + 0.5 + shift)

    def _line(self, line: LevelLine, at: int, scale: svg.Scale) -> Markup:
        """Draw one arm; arms stand beside each other, so that no whisker hides another."""
        shift = 0.12 * (at - (len(self.lines) - 1) / 2)
        spots = [(self._x(one.level, shift), scale(one.share)) for one in line.points]
        class_ = f"whisker c{line.colour}"
        drawn = [svg.line(*one, *other, class_=class_) for one, other in pairwise(spots)]
        marks = [_mark(line, one, x, scale) for one, (x, _) in zip(line.points, spots, strict=True)]
        return svg.element("g", *drawn, *marks)


def _grid(scale: svg.Scale, value: float) -> Markup:
    y = scale(value)
    label = svg.text(LEFT - 8, y + 4, f"{value:g}", "end", "tick")
    return svg.line(LEFT, y, WIDTH, y, "grid") + label


def _mark(line: LevelLine, point: LevelPoint, x: float, scale: svg.Scale) -> Markup:
    stem = svg.line(x, scale(point.lower), x, scale(point.upper), f"whisker c{line.colour}")
    tip = (
        f"{line.label}, {point.level}: {rounded(point.share)} % "
        f"[{rounded(point.lower)}, {rounded(point.upper)}], {point.n} items"
    )
    return svg.element("g", stem, svg.mark(x, scale(point.share), line.colour, tip))


def levels_of(lines: Sequence[LevelLine]) -> tuple[str, ...]:
    """Return every level that some arm has, lowest first."""
    found = {point.level for line in lines for point in line.points}
    return tuple(sorted(found, key=float))
