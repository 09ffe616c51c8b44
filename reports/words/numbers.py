"""Numbers as they are read: three significant digits and a unit, the exact value on demand.

Example: `reading(0.0123456, "s")` reads "0.0123 s" and is exactly "0.0123456 s";
`reading(None, "s")` reads "not measured".
"""

import math

from evals.gates.gains import Gain
from reports.blocks import UNASKED, UNMEASURED, Tone, Value

GIB, MIB = 1 << 30, 1 << 20
NOT_MEASURED = Value(UNMEASURED, tone="muted")


def reading(value: float | None, unit: str = "", note: str = "") -> Value:
    """Round a number for reading."""
    if value is None:
        return NOT_MEASURED
    suffix = f" {unit}" if unit else ""
    return Value(f"{rounded(value)}{suffix}", exact=f"{value!r}{suffix}", note=note)


def rounded(value: float) -> str:
    """Keep three significant digits, and all digits of whole numbers.

    Example: 1234.5 -> 1,234; 12.345 -> 12.3; 0.0012345 -> 0.00123.
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:.3g}"
    text = f"{value:,.{0 if float(value).is_integer() else _decimals(value)}f}"
    return text.replace("-", "−")


def signed(value: float, decimals: int) -> str:
    """Round with a sign, since the sign is the message."""
    return f"{value:+,.{decimals}f}".replace("-", "−")


def _decimals(value: float) -> int:
    """Return the decimals that leave three significant digits."""
    shown = abs(float(f"{value:.3g}"))  # 0.9999 reads as 1.00, with the decimals of 1
    return 0 if shown == 0 else max(0, 2 - math.floor(math.log10(shown)))


def interval(estimate: float, lower: float | None, upper: float | None, unit: str) -> Value:
    """Read an estimate with its interval, all to the decimals of the largest.

    Example: 8, 5.21, 10.92 points read +8.0 points [+5.2, +10.9].
    """
    suffix = f" {unit}" if unit else ""
    known = [value for value in (estimate, lower, upper) if value is not None]
    decimals = _decimals(max(map(abs, known)))
    low = "−∞" if lower is None else signed(lower, decimals)
    high = "+∞" if upper is None else signed(upper, decimals)
    note = "" if lower is None and upper is None else f"[{low}, {high}]"
    return Value(
        f"{signed(estimate, decimals)}{suffix}",
        exact=f"{estimate!r}, from {lower!r} to {upper!r}{suffix}",
        note=note,
    )


def num_bytes(value: int | None) -> Value:
    """Read bytes as MiB, or GiB from .9 up."""
    if value is None:
        return NOT_MEASURED
    unit, size = ("GiB", GIB) if value >= 0.9 * GIB else ("MiB", MIB)
    return Value(f"{rounded(value / size)} {unit}", exact=f"{value} bytes")


def duration(seconds: float | None) -> Value:
    """Read seconds as s, or min and s from two minutes up."""
    if seconds is None or seconds < 120:
        return reading(seconds, "s")
    minutes, rest = divmod(round(seconds), 60)
    return Value(f"{minutes} min {rest:02d} s", exact=f"{seconds!r} s")


NOT_ASKED = Value(UNASKED, tone="muted")
# Unit as stored -> factor and unit as read.
SCALED = {
    "share of items": (100.0, "points"),
    "share": (100.0, "%"),
    "relative to the baseline": (100.0, "%"),
}
TONES: dict[str, Tone] = {
    "PROMOTE": "pass",
    "REJECT": "fail",
    "HOLD": "hold",
    "PASS": "pass",
    "FAIL": "fail",
    "INCONCLUSIVE": "hold",
    "NOT_APPLICABLE": "muted",
}


def measure(value: float | None, unit: str | None) -> Value:
    """Read a figure of a verdict in its unit, with its sign."""
    if value is None:
        return NOT_ASKED
    factor, shown = SCALED.get(unit or "", (1.0, unit or ""))
    return Value(
        f"{rounded(value * factor)} {shown}".strip(), exact=f"{value!r} {unit or ''}".strip()
    )


def gain(found: Gain | None) -> Value:
    """Read a relative gain in %, with its bounds."""
    if found is None:
        return NOT_MEASURED
    bounds = interval(found.estimate * 100, found.lower * 100, found.upper * 100, "%")
    return Value(bounds.text, exact=bounds.exact, note=f"{bounds.note}, n\u00a0=\u00a0{found.n}")
