"""How numbers are said in reasons; nothing said here is ever compared.

Example: `points(.05)` is "5 points", `relative(-.0312)` is "-3.1 %".
"""


def points(share: float | None) -> str:
    """Say a share of items."""
    return "unknown" if share is None else f"{100 * share:.3g} points"


def relative(share: float | None) -> str:
    """Say a relative change."""
    return "unknown" if share is None else f"{100 * share:.3g} %"
