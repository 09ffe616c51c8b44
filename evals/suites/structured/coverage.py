"""How many schemas an engine takes, and how many it keeps.

Source: JSONSchemaBench (arXiv 2501.10868). Declared coverage is the share of schemas that an engine
accepts, empirical coverage the share whose answer validates, compliance the second over the first:
what part of its promises it keeps.

Example: of 10 schemas 8 are accepted and 6 answers validate: declared .8, empirical .6,
compliance .75.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class Constrained:
    """What became of one schema."""

    is_accepted: bool  # the engine took it and answered
    is_valid: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of `n` schemas; None where there is nothing to divide by."""

    n: int
    declared: float | None
    empirical: float | None
    compliance: float | None


def constrained_coverage(seen: Sequence[Constrained]) -> Coverage:
    """Count what was accepted and what validated.

    Raises:
        MeasurementError: a refused schema has a valid answer; then something else answered.
    """
    unasked = sum(one.is_valid and not one.is_accepted for one in seen)
    if unasked:
        raise MeasurementError(
            f"{unasked} of {len(seen)} schemas were refused and yet have a valid answer; count an "
            "answer only where the engine accepted the schema"
        )
    accepted = sum(one.is_accepted for one in seen)
    valid = sum(one.is_valid for one in seen)
    return Coverage(
        n=len(seen),
        declared=accepted / len(seen) if seen else None,
        empirical=valid / len(seen) if seen else None,
        compliance=valid / accepted if accepted else None,
    )
