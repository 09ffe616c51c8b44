"""Every measurement of an arm's cells, and what to call it.

The baseline is measured beside every variant, so its "repeat 3" is one of several.

Example: the baseline's repeats 3 of two comparisons are "repeat 3 beside int8-w8a8" and "repeat 3
beside compiled".
"""

from typing import NamedTuple

from evals.results import Cell
from reports.view import BASELINE, Arm


class Repeat(NamedTuple):
    """One measurement of one cell."""

    label: str
    cell: Cell


def repeats_of(arm: Arm) -> tuple[Repeat, ...]:
    """Return every measurement of an arm, by cell and repeat."""
    found = [
        Repeat(_label(arm, record.variant, record.payload), record.payload)
        for record in arm.records
        if isinstance(record.payload, Cell)
    ]
    return tuple(sorted(found, key=lambda one: (one.cell.name, one.cell.repeat)))


def _label(arm: Arm, variant: str, cell: Cell) -> str:
    is_beside = arm.name == BASELINE and variant != BASELINE
    return f"repeat {cell.repeat} beside {variant}" if is_beside else f"repeat {cell.repeat}"
