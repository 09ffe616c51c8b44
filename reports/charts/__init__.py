"""Charts as static drawings inside the page: no script, no network."""

from reports.charts.bars import Part, bar_row
from reports.charts.forest import Span, axis_of, forest_row
from reports.charts.levels import LevelChart, LevelLine, LevelPoint, levels_of
from reports.charts.load import LoadChart, Points

__all__ = [
    "LevelChart",
    "LevelLine",
    "LevelPoint",
    "LoadChart",
    "Part",
    "Points",
    "Span",
    "axis_of",
    "bar_row",
    "forest_row",
    "levels_of",
]
