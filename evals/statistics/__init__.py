"""Intervals, power and required sizes; formulas with their sources."""

from evals.statistics.batches import (
    autocorrelation_time,
    batch_interval,
    batch_means,
    lag1_correlation,
)
from evals.statistics.clustered import (
    clustered_interval,
    clustered_tango_interval,
    design_effect,
)
from evals.statistics.continuous import bootstrap_interval, sign_flip_p
from evals.statistics.interval import Interval
from evals.statistics.multiplicity import holm
from evals.statistics.paired import PairedCounts, mcnemar_harm, tango_interval
from evals.statistics.power import detectable_damage, power_to_pass, required_items
from evals.statistics.proportions import exact_interval, wilson_interval
from evals.statistics.repeats import (
    detectable_ratio,
    log_ratios,
    mean_interval,
    ratio_interval,
    required_repeats,
)
from evals.statistics.sequential import confidence_at, pass_boundaries
from evals.statistics.tolerance import share_inside

__all__ = [
    "Interval",
    "PairedCounts",
    "autocorrelation_time",
    "batch_interval",
    "batch_means",
    "bootstrap_interval",
    "clustered_interval",
    "clustered_tango_interval",
    "confidence_at",
    "design_effect",
    "detectable_damage",
    "detectable_ratio",
    "exact_interval",
    "holm",
    "lag1_correlation",
    "log_ratios",
    "mcnemar_harm",
    "mean_interval",
    "pass_boundaries",
    "power_to_pass",
    "ratio_interval",
    "required_items",
    "required_repeats",
    "share_inside",
    "sign_flip_p",
    "tango_interval",
    "wilson_interval",
]
