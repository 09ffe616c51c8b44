import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import kstest

from evals.workload.arrivals import (
    Arrivals,
    Bursts,
    Constant,
    Gamma,
    Periodic,
    Poisson,
    Seconds,
    dispersion,
)
from evals.workload.cell import CellSpec
from evals.workload.workload import Workload

TOTAL_S = 2000.0


def draw(process: Arrivals, seed: int = 3) -> Seconds:
    return process.draw(np.random.default_rng(seed), TOTAL_S)


@pytest.mark.parametrize(
    ("process", "rate"),
    [
        (Constant(rate=5), 5),
        (Poisson(rate=5), 5),
        (Gamma(rate=5, cv=3), 5),
        (Gamma(rate=5, cv=0.3), 5),
        (Bursts(rate=6, on_s=1, off_s=2), 2),  # 6 x 1 / 3
        (Bursts(rate=6, between=1.5, on_s=1, off_s=2), 3),  # (6 + 1.5 x 2) / 3
        (Periodic(rate=5, period_s=10, depth=1), 5),
    ],
)
def test_offsets_ascend_at_the_rate(process: Arrivals, rate: float) -> None:
    offsets_s = draw(process)
    assert (np.diff(offsets_s) >= 0).all()
    assert offsets_s[0] >= 0 and offsets_s[-1] < TOTAL_S
    # Counts of a gamma process with cv 3 spread by 3 x sqrt(10,000) = 300: 3 %.
    assert len(offsets_s) / TOTAL_S == pytest.approx(rate, rel=0.08)


def test_poisson_gaps_are_exponential() -> None:
    gaps_s = np.diff(draw(Poisson(rate=5)))
    assert kstest(gaps_s, "expon", args=(0, 1 / 5)).pvalue > 0.01


def test_gamma_gaps_have_their_coefficient_of_variation() -> None:
    gaps_s = np.diff(draw(Gamma(rate=5, cv=3)))
    assert gaps_s.std() / gaps_s.mean() == pytest.approx(3, rel=0.1)


def test_constant_gaps_are_equal() -> None:
    assert np.diff(draw(Constant(rate=5))) == pytest.approx(0.2)


def test_nothing_arrives_between_bursts() -> None:
    offsets_s = draw(Bursts(rate=6, on_s=1, off_s=2))
    assert (offsets_s % 3 < 1).all()


def test_a_period_has_its_crest_and_its_trough() -> None:
    """Rate 5 (1 + sin): between a quarter before and behind the crest, .5 + 1 / pi = 82 %."""
    phase = draw(Periodic(rate=5, period_s=10, depth=1)) % 10
    assert (phase < 5).mean() == pytest.approx(0.5 + 1 / np.pi, abs=0.01)


@pytest.mark.parametrize(
    ("process", "expected"),
    [(Constant(rate=5), 0), (Poisson(rate=5), 1), (Gamma(rate=5, cv=2), 4)],
)
def test_dispersion(process: Arrivals, expected: float) -> None:
    """Of long bins it is the squared coefficient of variation of the gaps."""
    assert dispersion(draw(process), TOTAL_S, 10) == pytest.approx(expected, rel=0.25, abs=0.02)


def test_dispersion_by_hand() -> None:
    offsets_s = np.array([0.1, 0.2, 1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 3.1, 3.2, 3.3, 3.4])
    assert dispersion(offsets_s, 4, 1) == pytest.approx((4 / 3) / 3)
    assert dispersion(offsets_s, 1, 1) is None


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ({"closed": 8}, "closed-8"),
        ({"poisson": 2.5}, "poisson-2.5"),
        ({"constant": 2, "streaming": False}, "constant-2-whole"),
        ({"gamma": {"rate": 2, "cv": 3}}, "gamma-2-cv3"),
        ({"bursts": {"rate": 6, "on_s": 1, "off_s": 2}}, "bursts-6-1s-2s"),
        ({"periodic": {"rate": 2, "period_s": 8}}, "periodic-2-8s"),
        ({"poisson": 2, "input": "long", "prefix": "high"}, "poisson-2-long-in-shared"),
        ({"closed": 4, "output": "long"}, "closed-4-long-out"),
        ({"closed": 4, "input": "mixed"}, "closed-4-mixed-in"),
        ({"closed": 4, "leaves": {"when": "mid-stream"}}, "closed-4-left-mid-stream"),
    ],
)
def test_a_cell_is_named_by_what_is_special(cell: dict[str, object], name: str) -> None:
    assert CellSpec.model_validate(cell).name == name


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({}, "this one is none"),
        ({"closed": 1, "poisson": 2}, "this one is closed and poisson"),
        ({"closed": 1, "streaming": False, "leaves": {"when": "mid-stream"}}, "nobody leaves"),
    ],
)
def test_a_cell_that_is_none_is_refused(cell: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        CellSpec.model_validate(cell)


@pytest.mark.parametrize("window_s", [2, 4])
def test_a_window_has_whole_periods(window_s: float) -> None:
    cell = CellSpec(bursts=Bursts(rate=6, on_s=1, off_s=2))
    with pytest.raises(ValidationError, match="no multiple of the period of bursts-6-1s-2s, 3 s"):
        Workload(cells=(cell,), window_s=window_s)
    assert Workload(cells=(cell,), window_s=6).window_s == 6
