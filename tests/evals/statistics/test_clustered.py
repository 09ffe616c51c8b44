import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from evals.statistics import (
    PairedCounts,
    clustered_interval,
    clustered_tango_interval,
    design_effect,
    tango_interval,
)
from variants.errors import MeasurementError


def test_items_of_their_own_agree_with_the_normal_bound() -> None:
    # 1,000 items, 60 lost and 40 won: sd = sqrt(.1 - .02^2) = .3156, bound .02 + 1.645 * .00998.
    differences = [1.0] * 60 + [-1.0] * 40 + [0.0] * 900
    interval = clustered_interval(differences, [str(i) for i in range(1000)], 0.95, seed=1)
    assert interval.estimate == pytest.approx(0.02)
    assert interval.upper == pytest.approx(0.0364, abs=0.0015)
    assert interval.lower == pytest.approx(0.0036, abs=0.0015)


def test_clusters_that_fail_together_widen_the_bound() -> None:
    differences = [1.0] * 60 + [0.0] * 940
    alone = clustered_interval(differences, [str(i) for i in range(1000)], 0.95, seed=1)
    together = clustered_interval(differences, [str(i // 20) for i in range(1000)], 0.95, seed=1)
    assert together.upper - 0.06 > 3 * (alone.upper - 0.06)


def test_the_same_seed_gives_the_same_bounds() -> None:
    differences = [1.0, 0.0, 0.0, -1.0, 0.0, 1.0]
    clusters = ["a", "a", "b", "b", "c", "d"]
    first = clustered_interval(differences, clusters, 0.95, seed=3)
    assert first == clustered_interval(differences, clusters, 0.95, seed=3)


def test_coverage_with_twelve_clusters() -> None:
    rng = np.random.default_rng(5)
    missed = 0
    for seed in range(400):
        effects = rng.normal(0, 1, 12)
        values = [float(e) + float(rng.normal()) for e in effects for _ in range(5)]
        labels = [str(k) for k in range(12) for _ in range(5)]
        missed += clustered_interval(values, labels, 0.95, seed).upper < 0
    assert missed / 400 <= 0.08  # nominal .05, 2.7 standard errors of .011


@pytest.mark.parametrize(
    ("differences", "clusters"),
    [([0.0, 1.0], ["a", "a"]), ([0.0], ["a", "b"]), ([float("nan"), 1.0], ["a", "b"]), ([], [])],
)
def test_what_cannot_be_bounded_is_refused(differences: list[float], clusters: list[str]) -> None:
    with pytest.raises(MeasurementError):
        clustered_interval(differences, clusters, 0.95, seed=1)


def test_design_effect_by_hand() -> None:
    assert design_effect([1, 1, 0, 0], ["a", "a", "b", "b"]) == pytest.approx(3.0)
    assert design_effect([0, 0, 0, 0], ["a", "a", "b", "b"]) == 1


def test_design_effect_of_copies_is_their_number() -> None:
    """Each item four times over: four times as many are needed."""
    once = np.random.default_rng(2).normal(size=200)
    values = np.repeat(once, 4).tolist()
    labels = [str(i // 4) for i in range(800)]
    assert design_effect(values, labels) == pytest.approx(4.0, rel=0.02)
    assert design_effect(values, [str(i) for i in range(800)]) == pytest.approx(1.0, rel=0.01)


def test_design_effect_agrees_with_statsmodels() -> None:
    rng = np.random.default_rng(8)
    groups = rng.integers(0, 30, size=400)
    values = rng.normal(size=400) + rng.normal(size=30)[groups]
    model = OLS(values, np.ones(400))
    robust = model.fit(cov_type="cluster", cov_kwds={"groups": groups}).cov_params()[0, 0]
    expected = robust / model.fit(cov_type="HC1").cov_params()[0, 0]
    assert design_effect(values.tolist(), [str(g) for g in groups]) == pytest.approx(expected)


def test_the_bound_of_a_design_effect_leaves_out_one_cluster_at_a_time() -> None:
    values, labels = [1.0, 1.5, 0.0, 0.5, 3.0, 4.0], ["a", "a", "b", "b", "c", "c"]
    left = [
        design_effect([v for v, name in zip(values, labels, strict=True) if name != out],
                      [name for name in labels if name != out])
        for out in "abc"
    ]  # fmt: skip
    deviation = np.sqrt(2 / 3 * np.square(np.array(left) - np.mean(left)).sum())
    expected = design_effect(values, labels) + 1.645 * deviation
    assert min(left) > 1, "none is cut at 1, which the bound does not do"
    assert design_effect(values, labels, 0.95) == pytest.approx(expected, rel=1e-3)


def test_items_of_their_own_have_tangos_bound_but_for_students_quantile() -> None:
    differences = [1.0] * 60 + [-1.0] * 40 + [0.0] * 900
    own = [str(i) for i in range(1000)]
    counts = PairedCounts(60, 40, 1000)
    found = clustered_tango_interval(counts, differences, own, 0.95)
    plain = tango_interval(counts, 0.95)
    assert (found.lower, found.upper) == pytest.approx((plain.lower, plain.upper), abs=1e-4)
    assert found.upper > plain.upper


def test_copies_are_worth_one_item_each() -> None:
    """Each item four times over has the bounds of the items once, with a surer design effect."""
    once = [1.0] * 15 + [-1.0] * 10 + [0.0] * 225
    values = np.repeat(once, 4).tolist()
    labels = [str(i // 4) for i in range(1000)]
    found = clustered_tango_interval(PairedCounts(60, 40, 1000), values, labels, 0.95)
    plain = tango_interval(PairedCounts(15, 10, 250), 0.95)
    assert found.estimate == plain.estimate
    assert (found.lower, found.upper) == pytest.approx((plain.lower, plain.upper), abs=1e-3)
