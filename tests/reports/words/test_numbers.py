"""Numbers as they are read; expected texts are worked by hand."""

import pytest

from evals.gates.gains import Gain
from reports.words.numbers import duration, gain, interval, measure, num_bytes, reading, rounded


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234.5, "1,234"),
        (12.345, "12.3"),
        (0.0012345, "0.00123"),
        (-8.0, "−8"),
        (0.99997, "1.00"),
        (400, "400"),
    ],
)
def test_rounded(value: float, text: str) -> None:
    assert rounded(value) == text


def test_absent_is_not_zero() -> None:
    assert reading(None, "ms").text == "not measured"
    assert num_bytes(None).text == "not measured"
    assert gain(None).text == "not measured"
    assert measure(None, "nats").text == "–"


def test_exact_value_on_demand() -> None:
    assert reading(12.3456789, "ms").exact == "12.3456789 ms"
    assert num_bytes(3 << 29).text == "1.50 GiB"
    assert num_bytes(3 << 29).exact == "1610612736 bytes"


def test_interval_shares_its_decimals() -> None:
    value = interval(8, 5.21, 10.92, "points")
    assert (value.text, value.note) == ("+8.0 points", "[+5.2, +10.9]")
    assert interval(0, None, 1, "points").note == "[−∞, +1.00]"


def test_shares_are_read_as_points_and_percent() -> None:
    assert measure(0.05, "share of items").text == "5 points"
    assert measure(-0.237, "relative to the baseline").text == "−23.7 %"
    assert measure(0.0016, "nats").text == "0.00160 nats"


def test_gain() -> None:
    found = Gain(metric="tpot_ms", cell="closed-1", unit="ms", estimate=0.2366, lower=0.2171,
                 upper=0.2558, n=5)  # fmt: skip
    assert (gain(found).text, gain(found).note) == ("+23.7 %", "[+21.7, +25.6], n\u00a0=\u00a05")


def test_duration() -> None:
    assert duration(96.2).text == "96.2 s"
    assert duration(684.0).text == "11 min 24 s"
