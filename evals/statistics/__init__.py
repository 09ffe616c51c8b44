"""Intervals and required sizes; formulas with their sources."""

from evals.statistics.clustered import clustered_interval
from evals.statistics.interval import Interval
from evals.statistics.paired import PairedCounts, mcnemar_harm, required_items, tango_interval
from evals.statistics.proportions import exact_interval
from evals.statistics.repeats import (
    log_ratios,
    mean_interval,
    ratio_interval,
    required_repeats,
)

__all__ = [
    "Interval",
    "PairedCounts",
    "clustered_interval",
    "exact_interval",
    "log_ratios",
    "mcnemar_harm",
    "mean_interval",
    "ratio_interval",
    "required_items",
    "required_repeats",
    "tango_interval",
]
