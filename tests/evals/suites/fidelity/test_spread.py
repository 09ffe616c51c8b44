import pytest

from evals.suites.fidelity.spread import spread_check


def test_three_builds() -> None:
    check = spread_check([0.18, 0.20, 0.25])
    assert check.passed
    assert check.values["mean_kl"] == pytest.approx(0.21)
    # deviations -.03, -.01, .04: squares .0026 / 2 = .0013, root .0361
    assert check.values["sd_kl"] == pytest.approx(0.0361, abs=5e-5)
    assert check.values["max_kl"] == 0.25
    assert "the judged build is number 1 from the baseline" in check.reason


def test_one_build_has_no_spread() -> None:
    assert spread_check([0.18]).passed is None
