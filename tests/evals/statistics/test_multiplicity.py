import pytest

from evals.statistics import holm
from variants.errors import MeasurementError


def test_holm_agrees_with_r() -> None:
    """R 4, p.adjust(c(.01, .02, .03, .04), "holm"): .04 .06 .06 .06."""
    adjusted = holm({"a": 0.04, "b": 0.01, "c": 0.03, "d": 0.02})
    assert adjusted == pytest.approx({"a": 0.06, "b": 0.04, "c": 0.06, "d": 0.06})


def test_one_alone_is_itself_and_none_is_none() -> None:
    assert holm({"a": 0.03}) == {"a": 0.03}
    assert holm({}) == {}


def test_what_is_no_p_is_refused() -> None:
    with pytest.raises(MeasurementError):
        holm({"a": float("nan")})
