"""Percentiles that are given only where the sample is large enough.

Source of the floors: MLCommons Endpoints, docs/early_stopping.md, smallest n at 99 % confidence:
p90 64, p95 130, p99 662 samples.

Example: 120 samples have a p90 (120 >= 64) and neither a p95 (< 130) nor a p99 (< 662).
"""

from collections.abc import Sequence

import numpy as np

SAMPLE_FLOORS = {50: 1, 90: 64, 95: 130, 99: 662}


def mean(values: Sequence[float]) -> float | None:
    """Average; None without values."""
    return float(np.mean(values)) if values else None


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Interpolate linearly between order statistics; None below the sample floor."""
    if len(values) < SAMPLE_FLOORS[percent]:
        return None
    return float(np.percentile(values, percent))


def observed_p99(values: Sequence[float]) -> float | None:
    """Give the smallest value that 99 % of all are not above: a count of what was seen.

    It describes the instrument during one cell and estimates no tail, so it has no floor; below 100
    values it is the largest.
    """
    return float(np.percentile(values, 99, method="inverted_cdf")) if values else None
