import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

from evals.statistics import PairedCounts, mcnemar_harm, tango_interval
from variants.errors import MeasurementError


@pytest.mark.parametrize(
    ("num_items", "points"), [(100, 2.63), (200, 1.33), (500, 0.54), (1000, 0.27)]
)
def test_zero_discordance_is_not_zero_uncertainty(num_items: int, points: float) -> None:
    """research/evaluation.md section 3.1."""
    bound = tango_interval(PairedCounts(0, 0, num_items), 0.95).upper
    assert 100 * bound == pytest.approx(points, abs=0.006)


@pytest.mark.parametrize(
    ("counts", "confidence", "lower", "upper"),
    [
        # R, PropCIs 0.3-0: scoreci.mp(25, 28, 618, .90)
        (PairedCounts(28, 25, 618), 0.95, -0.0148, 0.0247),
        # Fagerland et al., Stat Med 33:2850 (2014), data of Bentur: n12 = 1, n21 = 7, N = 21
        (PairedCounts(1, 7, 21), 0.975, -0.517, -0.026),
    ],
)
def test_tango_agrees_with_published_intervals(
    counts: PairedCounts, confidence: float, lower: float, upper: float
) -> None:
    interval = tango_interval(counts, confidence)
    assert interval.lower == pytest.approx(lower, abs=6e-4)
    assert interval.upper == pytest.approx(upper, abs=6e-4)


def test_all_items_lost_reach_the_edge() -> None:
    # b = n: the lower bound solves n (1 - d) = z^2 (1 + d), so d = (n - z^2) / (n + z^2).
    interval = tango_interval(PairedCounts(50, 0, 50), 0.95)
    assert interval.upper == 1
    assert interval.lower == pytest.approx((50 - 2.7055) / (50 + 2.7055), abs=1e-4)


@st.composite
def paired_counts(draw: st.DrawFn) -> PairedCounts:
    num_items = draw(st.integers(1, 3000))
    lost = draw(st.integers(0, num_items))
    return PairedCounts(lost, draw(st.integers(0, num_items - lost)), num_items)


@given(paired_counts())
def test_tango_brackets_its_estimate_and_mirrors(counts: PairedCounts) -> None:
    here = tango_interval(counts, 0.95)
    there = tango_interval(counts.mirrored(), 0.95)
    assert -1 <= here.lower <= here.estimate <= here.upper <= 1
    assert here.lower == pytest.approx(-there.upper, abs=1e-9)
    assert here.upper > here.lower


def test_false_promotion_at_the_margin_is_near_nominal() -> None:
    """True damage 2 points = margin, discordance 9 %: research says 4.6 % at n = 500."""
    rng = default_rng(7)
    draws = rng.multinomial(500, [0.055, 0.035, 0.91], size=3000)
    passed = sum(
        tango_interval(PairedCounts(int(b), int(c), 500), 0.95).upper <= 0.02 for b, c, _ in draws
    )
    assert passed / 3000 <= 0.06  # nominal .05 plus 2.5 standard errors of .004


@pytest.mark.parametrize(("lost", "won"), [(5, 0), (7, 1), (9, 2), (10, 3), (12, 4)])
def test_mcnemar_needs_these_losses(lost: int, won: int) -> None:
    """research/evaluation.md section 3.1; one loss fewer is not enough."""
    assert mcnemar_harm(PairedCounts(lost, won, 100)) <= 0.05
    assert mcnemar_harm(PairedCounts(lost - 1, won, 100)) > 0.05


def test_mcnemar_agrees_with_scipy_and_statsmodels() -> None:
    p = mcnemar_harm(PairedCounts(14, 6, 100))
    assert p == pytest.approx(binomtest(14, 20, alternative="greater").pvalue)
    two_sided = mcnemar([[70, 14], [6, 10]], exact=True).pvalue
    assert 2 * p == pytest.approx(two_sided)


def test_impossible_counts_are_refused() -> None:
    for numbers in [(-1, 0, 10), (6, 5, 10), (0, 0, 0)]:
        with pytest.raises(MeasurementError):
            PairedCounts(*numbers)
    with pytest.raises(MeasurementError, match="confidence"):
        tango_interval(PairedCounts(1, 1, 10), 1.0)
