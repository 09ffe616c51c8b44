import numpy as np
import pytest

from evals.statistics import confidence_at, pass_boundaries
from variants.errors import MeasurementError


@pytest.mark.parametrize(
    ("shares", "boundaries"),
    [
        # R, gsDesign 3.6: gsDesign(k, test.type = 1, alpha = .025, sfu = sfLDOF)$upper$bound
        ((0.5, 1), (2.963, 1.969)),
        ((1 / 3, 2 / 3, 1), (3.710, 2.511, 1.993)),
        # Jennison and Turnbull, Group Sequential Methods (2000), Lan-DeMets bounds, five looks
        ((0.2, 0.4, 0.6, 0.8, 1), (4.877, 3.357, 2.680, 2.290, 2.031)),
    ],
)
def test_boundaries_agree_with_published_ones(
    shares: tuple[float, ...], boundaries: tuple[float, ...]
) -> None:
    assert pass_boundaries(shares, 0.025) == pytest.approx(boundaries, abs=1e-3)


def test_one_look_spends_all() -> None:
    assert pass_boundaries((1.0,), 0.05) == pytest.approx((1.6449,), abs=1e-4)
    assert confidence_at(0, (1.0,), 0.05) == pytest.approx(0.95)


def test_the_whole_risk_is_alpha() -> None:
    """Brownian paths at three looks, stopped at the first crossing."""
    shares = np.array([0.25, 0.5, 1.0])
    bounds = np.array(pass_boundaries(tuple(shares), 0.05))
    steps = np.sqrt(np.diff(shares, prepend=0.0))
    sums = np.cumsum(np.random.default_rng(9).normal(size=(200_000, 3)) * steps, axis=1)
    crossed = (sums / np.sqrt(shares) >= bounds).any(axis=1).mean()
    assert crossed == pytest.approx(0.05, abs=0.0015)  # three standard errors


@pytest.mark.parametrize("shares", [(), (0.0, 1.0), (0.5, 0.5), (0.5, 1.2), (0.8, 0.4)])
def test_looks_must_rise(shares: tuple[float, ...]) -> None:
    with pytest.raises(MeasurementError, match="looks"):
        pass_boundaries(shares, 0.05)
