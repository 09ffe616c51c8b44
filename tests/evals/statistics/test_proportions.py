import pytest
from statsmodels.stats.proportion import proportion_confint

from evals.statistics import exact_interval, wilson_interval
from variants.errors import MeasurementError


@pytest.mark.parametrize(("trials", "bound"), [(100, 0.030), (200, 0.015), (300, 0.010)])
def test_no_failures_still_leave_a_bound(trials: int, bound: float) -> None:
    """research/evaluation.md section 3.2."""
    assert exact_interval(0, trials, 0.95).upper == pytest.approx(bound, abs=6e-4)


@pytest.mark.parametrize(("right", "trials"), [(0, 10), (3, 10), (95, 120), (7, 7)])
def test_agrees_with_statsmodels(right: int, trials: int) -> None:
    lower, upper = proportion_confint(right, trials, alpha=0.10, method="beta")
    interval = exact_interval(right, trials, 0.95)
    assert (interval.lower, interval.upper) == pytest.approx((lower, upper))


@pytest.mark.parametrize(("right", "trials"), [(0, 0), (5, 4), (-1, 4)])
def test_what_is_no_proportion_is_refused(right: int, trials: int) -> None:
    with pytest.raises(MeasurementError):
        exact_interval(right, trials, 0.95)


def test_wilson_agrees_with_a_published_interval() -> None:
    """Newcombe, Statistics in Medicine 17:857 (1998), table I: 81 of 263 is .2553 to .3662."""
    interval = wilson_interval(81, 263, 0.975)
    assert interval.lower == pytest.approx(0.2553, abs=5e-5)
    assert interval.upper == pytest.approx(0.3662, abs=5e-5)
