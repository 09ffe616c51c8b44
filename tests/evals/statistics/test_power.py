import pytest
from numpy.random import default_rng

from evals.statistics import (
    PairedCounts,
    detectable_damage,
    power_to_pass,
    required_items,
    tango_interval,
)


@pytest.mark.parametrize(
    ("discordance", "margin", "items"),
    [(0.028, 0.01, 1732), (0.05, 0.02, 773), (0.09, 0.015, 2474), (0.13, 0.02, 2010)],
)
def test_required_items_match_the_table(discordance: float, margin: float, items: int) -> None:
    """research/evaluation.md section 3.2."""
    assert required_items(margin, discordance, 0.95) == items


def test_required_items_at_the_margin_and_without_discordance() -> None:
    assert required_items(0.02, 0.09, 0.95, damage=0.02) is None
    assert required_items(0.02, 0.0, 0.95) == 133  # 2.7055 * .98 / .02 = 132.6


@pytest.mark.parametrize(
    ("num_items", "margin", "discordance", "passed"),
    [(2343, 0.015, 0.09, 0.77), (2343, 0.02, 0.13, 0.84), (1124, 0.02, 0.05, 0.89)],
)
def test_power_matches_the_simulated_table(
    num_items: int, margin: float, discordance: float, passed: float
) -> None:
    """research/evaluation.md section 3.2, Tango's bound in 1,500 runs: half-width about .02."""
    assert power_to_pass(margin, num_items, discordance, 0.95) == pytest.approx(passed, abs=0.03)


def test_the_detectable_damage_is_the_margin_that_passes_four_times_in_five() -> None:
    smallest = detectable_damage(500, 0.09, 0.95)
    assert smallest == pytest.approx(0.0334, abs=1e-4)  # 2.4865 * sqrt(.09 / 500)
    assert power_to_pass(smallest, 500, 0.09, 0.95) == pytest.approx(0.8, abs=1e-6)
    rng = default_rng(11)
    draws = rng.multinomial(500, [0.045, 0.045, 0.91], size=2000)
    passed = sum(
        tango_interval(PairedCounts(int(b), int(c), 500), 0.95).upper <= smallest
        for b, c, _ in draws
    )
    assert passed / 2000 == pytest.approx(0.8, abs=0.03)


def test_no_discordance_still_needs_items() -> None:
    assert detectable_damage(100, 0.0, 0.95) == pytest.approx(0.0263, abs=1e-4)
    assert power_to_pass(0.02, 100, 0.0, 0.95) == 0
    assert power_to_pass(0.03, 100, 0.0, 0.95) == 1
