"""Intervals over repeats: one figure per repeat, Student's t between them.

Requests inside a repeat share the machine's mood, so the repeat is the unit and never the request
(Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). A ratio of times is
taken as a mean of logarithms, so that a / b and b / a give the same answer: Fleming and Wallace,
"How not to lie with statistics", CACM 29:218 (1986). Repeats are paired: repeat k of both arms ran
side by side.

Example: baseline 10, 10, 10 ms, variant 9, 10, 11 ms: log ratios -.1054, 0, .0953; mean -.0034,
s = .1004, t(.95, 2) = 2.920: -.0034 -+ 2.920 * .1004 / sqrt(3) = [-.1726, .1659], so the ratio is
.9967 [.8415, 1.1805].
"""

import math
import statistics
from collections.abc import Sequence

from scipy.stats import t as student

from evals.statistics.interval import POWER, Interval, check_finite, z_value
from variants.errors import MeasurementError

MOST_REPEATS = 10_000  # beyond this the two cannot be told apart in any budget


def ratio_interval(
    baseline: Sequence[float], variant: Sequence[float], confidence: float
) -> Interval:
    """Bound variant / baseline from paired repeats, each side at `confidence`.

    Raises:
        MeasurementError: unequal lengths, fewer than two pairs, or a value that is not positive.
    """
    logs = mean_interval(log_ratios(baseline, variant), confidence)
    return Interval(math.exp(logs.estimate), _exp(logs.lower), _exp(logs.upper), logs.n)


def log_ratios(baseline: Sequence[float], variant: Sequence[float]) -> list[float]:
    """Return ln(variant / baseline) by repeat.

    Raises:
        MeasurementError: unequal lengths, or a value that is not positive and finite.
    """
    if len(baseline) != len(variant):
        raise MeasurementError(f"{len(baseline)} baseline and {len(variant)} variant repeats")
    values = [*baseline, *variant]
    check_finite("repeats", values)
    if any(value <= 0 for value in values):
        raise MeasurementError(f"a ratio needs positive figures, got {min(values)}")
    return [
        math.log(mine) - math.log(theirs) for theirs, mine in zip(baseline, variant, strict=True)
    ]


def mean_interval(values: Sequence[float], confidence: float) -> Interval:
    """Bound the mean of a few values by Student's t, each side at `confidence`.

    Raises:
        MeasurementError: fewer than two values, or one that is not finite.
    """
    z_value(confidence)
    if len(values) < 2:
        raise MeasurementError(f"{len(values)} repeats; an interval needs at least 2")
    check_finite("repeats", list(values))
    mean = statistics.fmean(values)
    reach = _t(confidence, len(values)) * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach, len(values))


def required_repeats(values: Sequence[float], limit: float, confidence: float) -> int | None:
    """Return the repeats that would settle on which side of `limit` the mean lies, power .8.

    The smallest n with (t(confidence, n - 1) + t(power, n - 1)) s / sqrt(n) <= |limit - mean|;
    None where the mean sits on the limit or n would pass 10 000.

    Example: s = .03, distance .05, .95: n = 3 gives (2.920 + 1.061) * .03 / sqrt(3) = .0690, too
    wide; n = 4 gives (2.353 + .978) * .03 / sqrt(4) = .04998, enough.
    """
    spread, distance = statistics.stdev(values), abs(limit - statistics.fmean(values))
    if distance == 0:
        return None
    for n in range(2, MOST_REPEATS + 1):
        if (_t(confidence, n) + _t(POWER, n)) * spread <= distance * math.sqrt(n):
            return n
    return None


def detectable_ratio(values: Sequence[float], confidence: float) -> float:
    """Return the smallest ratio above 1 that these log ratios would tell from 1, power .8.

    Example: s = .03 over n = 5: exp((2.132 + .941) * .03 / sqrt(5)) = 1.042.
    """
    spread, n = statistics.stdev(values), len(values)
    return _exp((_t(confidence, n) + _t(POWER, n)) * spread / math.sqrt(n))


def _t(confidence: float, n: int) -> float:
    return float(student.ppf(confidence, n - 1))


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))  # e^709 overflows; such a bound decides nothing anyway
