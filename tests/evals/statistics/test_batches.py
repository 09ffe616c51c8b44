import numpy as np
import pytest
from statsmodels.tsa.stattools import acf

from evals.statistics import (
    autocorrelation_time,
    batch_interval,
    batch_means,
    lag1_correlation,
)
from variants.errors import MeasurementError


def correlated(length: int, memory: float, seed: int) -> list[float]:
    """x(i) = memory x(i-1) + noise: a mean of 0 whose neighbours hang together."""
    noise = np.random.default_rng(seed).normal(size=length)
    values = [float(noise[0]) / (1 - memory**2) ** 0.5]
    for step in noise[1:]:
        values.append(memory * values[-1] + float(step))
    return values


def test_batches_keep_the_end_of_the_window() -> None:
    assert batch_means([9, 1, 3, 2, 4], 2) == [2.0, 3.0]


def test_lag1_correlation_by_hand_and_by_statsmodels() -> None:
    assert lag1_correlation([1, 2, 3, 4]) == pytest.approx(0.25)
    values = correlated(500, 0.6, seed=1)
    assert lag1_correlation(values) == pytest.approx(acf(values, nlags=1)[1])
    assert lag1_correlation([2.0, 2.0, 2.0]) == 0


@pytest.mark.parametrize(("memory", "time"), [(0.0, 1.0), (0.5, 3.0), (0.8, 9.0)])
def test_autocorrelation_time_of_a_known_process(memory: float, time: float) -> None:
    """(1 + memory) / (1 - memory)."""
    found = [autocorrelation_time(correlated(5000, memory, seed)) for seed in range(20)]
    assert float(np.mean(found)) == pytest.approx(time, rel=0.1)


def test_autocorrelation_time_is_never_below_one() -> None:
    assert autocorrelation_time([1, -1, 1, -1, 1, -1]) == 1
    assert autocorrelation_time([2.0, 2.0]) == 1


def test_bounds_cover_where_independence_would_not() -> None:
    missed_naive = missed = 0
    for seed in range(400):
        values = correlated(4000, 0.9, seed)
        reach = 1.645 * float(np.std(values)) / 4000**0.5
        missed_naive += float(np.mean(values)) + reach < 0
        missed += batch_interval(values, 0.95).upper < 0
    assert missed_naive / 400 > 0.25  # sqrt((1 + .9) / (1 - .9)) = 4.4 times too narrow
    assert missed / 400 <= 0.09  # nominal .05 and 3.5 standard errors of .011


def test_a_drifting_window_is_refused() -> None:
    with pytest.raises(MeasurementError, match="hang together"):
        batch_interval([i / 1000 for i in range(1000)], 0.95)


@pytest.mark.parametrize("values", [[1.0] * 5, [1.0] * 39 + [float("nan")]])
def test_too_little_is_refused(values: list[float]) -> None:
    with pytest.raises(MeasurementError):
        batch_interval(values, 0.95)
