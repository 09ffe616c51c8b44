"""Charts as data: each function returns the rows and the specification of one drawing."""

from reports.charts.bars import Bar, Part, bars
from reports.charts.forest import Span, domain_of, forest
from reports.charts.levels import LevelLine, LevelPoint, levels
from reports.charts.load import LoadMetric, Points, load_chart
from reports.charts.pareto import Mark, Reach, pareto

__all__ = [
    "Bar",
    "LevelLine",
    "LevelPoint",
    "LoadMetric",
    "Mark",
    "Part",
    "Points",
    "Reach",
    "Span",
    "bars",
    "domain_of",
    "forest",
    "levels",
    "load_chart",
    "pareto",
]
