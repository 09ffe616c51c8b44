import pytest
from numpy.random import default_rng

from evals.statistics import share_inside
from variants.errors import MeasurementError


@pytest.mark.parametrize(
    ("num", "share", "factor"), [(10, 0.90, 2.355), (20, 0.90, 1.926), (10, 0.99, 3.981)]
)
def test_factors_of_a_published_table(num: int, share: float, factor: float) -> None:
    """Natrella, Experimental Statistics, NBS Handbook 91 (1963), table A-7, confidence .95."""
    assert share_inside(factor, num, 0.95) == pytest.approx(share, abs=2e-4)


def test_the_bound_covers_what_is_normal() -> None:
    rng = default_rng(4)
    missed = 0
    for _ in range(1000):
        values = rng.normal(-1.2816, 1.0, 15)  # 90 % below 0
        missed += share_inside(-values.mean() / values.std(ddof=1), 15, 0.95) > 0.90
    assert missed / 1000 <= 0.072  # nominal .05, three standard errors of .007


def test_far_and_near_and_outside() -> None:
    assert share_inside(50.0, 10, 0.95) == pytest.approx(1.0)
    assert share_inside(0.0, 10, 0.95) < 0.5
    assert share_inside(-50.0, 10, 0.95) == pytest.approx(0.0)


@pytest.mark.parametrize("num", [2, 10, 300, 2000])
@pytest.mark.parametrize("distance", [-20.0, -1.0, 0.5, 3.0, 20.0, 500.0])
def test_it_is_a_share_however_far_out(num: int, distance: float) -> None:
    assert 0 <= share_inside(distance, num, 0.95) <= 1


def test_one_value_has_no_spread() -> None:
    with pytest.raises(MeasurementError):
        share_inside(3.0, 1.5, 0.95)
