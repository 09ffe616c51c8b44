import numpy as np
import pytest

from evals.statistics import bootstrap_interval, sign_flip_p
from variants.errors import MeasurementError

# Darwin, The Effects of Cross and Self Fertilisation (1876): eighths of an inch, 15 pairs.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_fisher_s_randomization_test_of_darwin_s_maize() -> None:
    """Fisher, The Design of Experiments (1935), section 21: 863 of 32,768."""
    assert sign_flip_p(MAIZE, seed=1) == pytest.approx(863 / 32768)


def test_four_rising_pairs() -> None:
    assert sign_flip_p([1, 2, 3, 4], seed=1) == 1 / 16


def test_bootstrap_of_many_values_is_the_normal_bound() -> None:
    values = np.random.default_rng(3).normal(0.2, 1.0, 2000).tolist()
    interval = bootstrap_interval(values, 0.95, seed=1)
    reach = 1.645 * float(np.std(values)) / 2000**0.5
    assert interval.upper - interval.estimate == pytest.approx(reach, rel=0.05)
    assert interval.estimate - interval.lower == pytest.approx(reach, rel=0.05)


def test_bootstrap_follows_the_longer_tail() -> None:
    values = np.random.default_rng(3).exponential(1.0, 60).tolist()
    interval = bootstrap_interval(values, 0.95, seed=1)
    assert interval.upper - interval.estimate > interval.estimate - interval.lower


def test_bootstrap_coverage_of_a_skewed_mean() -> None:
    rng = np.random.default_rng(5)
    missed = sum(
        bootstrap_interval(rng.exponential(1.0, 80).tolist(), 0.95, seed).upper < 1.0
        for seed in range(200)
    )
    assert missed / 200 <= 0.11  # nominal .05; three standard errors of .015 and the skew


def test_values_without_spread_are_their_own_bound() -> None:
    assert bootstrap_interval([0.0, 0.0, 0.0], 0.95, seed=1).upper == 0


@pytest.mark.parametrize("values", [[], [1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_what_cannot_be_bounded_is_refused(values: list[float]) -> None:
    with pytest.raises(MeasurementError):
        bootstrap_interval(values, 0.95, seed=1)
    with pytest.raises(MeasurementError):
        sign_flip_p(values, seed=1)
