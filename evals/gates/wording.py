"""How numbers are said in reasons; nothing said here is ever compared.

Example: `points(.05)` is "5 points", `relative(-.0312)` is "-3.1 %".
"""


def points(share: float | None) -> str:
    """Say a share of items."""
    return "unknown" if share is None else f"{_short(100 * share)} points"


def relative(share: float | None) -> str:
    """Say a relative change."""
    return "unknown" if share is None else f"{_short(100 * share)} %"


def harm(share: float | None) -> str:
    """Say a relative damage by its direction: .04 is "4 % worse", -.18 is "18 % better"."""
    if share is None:
        return "unknown"
    return f"{relative(abs(share))} {'better' if share < 0 else 'worse'}"


def _short(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{(round(value, 2) if abs(value) < 1 else value) + 0.0:.3g}"  # rounded once, not twice
