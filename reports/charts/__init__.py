"""Charts as data: each function returns the rows and the specification of one drawing."""

from reports.charts.bars import Bar, Part, bars
from reports.charts.cumulative import Curve, Times, cumulative, times
from reports.charts.forest import Span, domain_of, forest
from reports.charts.levels import LevelLine, LevelPoint, levels
from reports.charts.load import LoadAxis, LoadMetric, Points, load_chart
from reports.charts.pareto import Mark, Reach, pareto
from reports.charts.trend import Reading, trend_chart

__all__ = [
    "Bar",
    "Curve",
    "LevelLine",
    "LevelPoint",
    "LoadAxis",
    "LoadMetric",
    "Mark",
    "Part",
    "Points",
    "Reach",
    "Reading",
    "Span",
    "Times",
    "bars",
    "cumulative",
    "domain_of",
    "forest",
    "levels",
    "load_chart",
    "pareto",
    "times",
    "trend_chart",
]
