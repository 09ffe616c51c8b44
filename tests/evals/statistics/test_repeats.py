import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel
from statsmodels.stats.weightstats import DescrStatsW

from evals.statistics import detectable_ratio, mean_interval, ratio_interval, required_repeats
from variants.errors import MeasurementError


def test_the_worked_example() -> None:
    interval = ratio_interval([10, 10, 10], [9, 10, 11], 0.95)
    assert interval.estimate == pytest.approx(0.9967, abs=1e-4)
    assert (interval.lower, interval.upper) == pytest.approx((0.8415, 1.1804), abs=1e-3)


def test_agrees_with_scipy_and_statsmodels() -> None:
    baseline, variant = [10.1, 9.8, 10.4, 10.0, 9.9], [9.0, 9.3, 9.1, 8.8, 9.4]
    interval = ratio_interval(baseline, variant, 0.95)
    paired = ttest_rel(np.log(variant), np.log(baseline)).confidence_interval(0.90)
    assert interval.lower == pytest.approx(math.exp(paired.low))
    assert interval.upper == pytest.approx(math.exp(paired.high))
    lower, upper = DescrStatsW(variant).tconfint_mean(alpha=0.10)
    mean = mean_interval(variant, 0.95)
    assert (mean.lower, mean.upper) == pytest.approx((lower, upper))


positive = st.lists(st.floats(0.1, 1e4), min_size=2, max_size=8)


@given(positive, st.floats(0.1, 10))
def test_a_constant_factor_is_found_and_the_arms_mirror(values: list[float], factor: float) -> None:
    scaled = [factor * value for value in values]
    forth, back = ratio_interval(values, scaled, 0.95), ratio_interval(scaled, values, 0.95)
    assert forth.estimate == pytest.approx(factor)
    assert forth.upper == pytest.approx(1 / back.lower)


@pytest.mark.parametrize(
    ("baseline", "variant"),
    [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([1.0, 0.0], [1.0, 1.0]), ([1.0, math.nan], [1.0, 1.0])],
)
def test_what_supports_no_ratio_is_refused(baseline: list[float], variant: list[float]) -> None:
    with pytest.raises(MeasurementError):
        ratio_interval(baseline, variant, 0.95)


def test_required_repeats() -> None:
    values = [-0.03, 0.0, 0.03]  # mean 0, s = .03
    assert required_repeats(values, 0.05, 0.95) == 4  # (2.353 + .978) * .03 / 2 = .04998
    assert required_repeats(values, 0.0, 0.95) is None
    assert required_repeats([0.0, 0.0], 0.05, 0.95) == 2


def test_detectable_ratio_by_hand() -> None:
    # s = .03: (t(.95, 4) + t(.8, 4)) * .03 / sqrt(5) = (2.132 + .941) * .01342 = .04123
    logs = [0.03, -0.03, 0.0, 0.03, -0.03]
    assert detectable_ratio(logs, 0.95) == pytest.approx(math.exp(0.04123), abs=2e-4)
