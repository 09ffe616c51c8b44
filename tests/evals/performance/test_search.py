import math

import numpy as np
import pytest

from evals.performance.search import highest_rate
from evals.statistics import Interval, mean_interval
from variants.errors import MeasurementError

MU, LIMIT_S = 10.0, 0.5  # M/M/1: P(time in system > t) = exp(-(mu - lambda) t)


def attained(rate: float) -> float:
    return 1 - math.exp(-(MU - rate) * LIMIT_S) if rate < MU else 0.0


def exactly(rate: float, confirms: bool) -> Interval:
    return Interval(attained(rate), attained(rate), attained(rate), 5)


def test_the_worked_example() -> None:
    """The highest rate that attains .9: 10 - ln(10) / .5 = 5.395."""
    found = highest_rate(exactly, 0.9, 1.0)
    assert [round(probe.rate, 2) for probe in found.probes] == [1, 2, 4, 8, 5.66, 4.76, 5.19, 5.19]
    assert found.rate == pytest.approx(5.19, abs=0.01)
    assert found.probes[-1].is_confirmation
    assert found.rate <= MU - math.log(10) / LIMIT_S < found.rate * 1.1


def test_it_goes_down_where_the_start_is_too_fast() -> None:
    found = highest_rate(exactly, 0.9, 40.0, precision=0.02)
    assert found.rate == pytest.approx(5.395, rel=0.02)
    assert found.rate <= 5.395


def test_a_mean_alone_does_not_pass() -> None:
    def noisy(rate: float, confirms: bool) -> Interval:
        return Interval(1.0, 0.5, 1.0, 5)

    found = highest_rate(noisy, 0.9, 1.0)
    assert found.rate is None
    assert not any(probe.passes for probe in found.probes)


def test_what_is_not_confirmed_is_not_the_answer() -> None:
    def lucky(rate: float, confirms: bool) -> Interval:
        share = attained(rate + (1.5 if confirms else 0))
        return Interval(share, share, share, 5)

    found = highest_rate(lucky, 0.9, 1.0)
    assert found.rate == 2.0  # 5.19 and 4 had been luck: with 1.5 more they attain less than .9


def test_noise_does_not_pass_the_limit_more_often_than_its_bound() -> None:
    rng = np.random.default_rng(4)

    def look(rate: float, confirms: bool) -> Interval:
        return mean_interval((attained(rate) + rng.normal(0, 0.02, 5)).tolist(), 0.95)

    answers = [highest_rate(look, 0.9, 1.0).rate for _ in range(200)]
    too_fast = sum(rate is not None and rate > 5.395 for rate in answers)
    assert too_fast / 200 <= 0.05


def test_a_server_without_a_limit_is_told() -> None:
    with pytest.raises(MeasurementError, match=r"every rate up to 4096/s attains"):
        highest_rate(lambda rate, confirms: Interval(1, 1, 1, 5), 0.9, 1.0)


@pytest.mark.parametrize(("start", "precision"), [(0, 0.1), (1, 0)])
def test_senseless_arguments_are_refused(start: float, precision: float) -> None:
    with pytest.raises(MeasurementError, match="must be above 0"):
        highest_rate(exactly, 0.9, start, precision)
