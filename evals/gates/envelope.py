"""The operating envelope: in which cells a variant is qualified, and in which it wins or loses.

A metric is won where the whole interval is better than the baseline, lost where it is worse. A cell
is won by a metric won and none lost, lost by any metric lost, and undecided otherwise.

Example: TPOT -18 % [-20, -16] and TTFT 3 % [-9, 16]: the cell is won, by TPOT.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from pydantic import Field

from evals.gates.verdict import Outcome, Row, Verdict
from evals.gates.wording import harm, relative
from evals.results import Result

KINDS = ("no_worse", "attainment")
Standing = Literal["won", "lost", "undecided"]


class EnvelopeRow(Result):
    """One performance gate in one cell; the row's numbers are the gate's."""

    cell: str
    gate: str
    metric: str
    unit: str
    outcome: Outcome
    standing: Standing = Field(description="against the baseline, whatever the margin")
    row: Row


class CellStanding(Result):
    """How a variant stands in one cell of its service class."""

    cell: str
    standing: Standing
    is_qualified: bool = Field(description="every performance gate passes in it")
    by: tuple[str, ...] = Field(description="metrics with their change, those won or lost first")


def envelope_rows(verdicts: Sequence[Verdict]) -> tuple[EnvelopeRow, ...]:
    """Gather the rows of the performance gates, cell by cell."""
    rows = [
        EnvelopeRow(
            cell=row.label,
            gate=verdict.gate,
            metric=verdict.metric or "",
            unit=verdict.unit or "",
            outcome=row.outcome,
            standing=_standing(verdict, row),
            row=row,
        )
        for verdict in verdicts
        if verdict.kind in KINDS
        for row in verdict.details
    ]
    return tuple(sorted(rows, key=lambda row: row.cell))


def standings(verdicts: Sequence[Verdict]) -> tuple[CellStanding, ...]:
    """Say of every cell whether it is won, lost or undecided, and by what."""
    rows = envelope_rows(verdicts)
    return tuple(
        _cell_standing(cell, list(group)) for cell, group in groupby(rows, lambda row: row.cell)
    )


def _cell_standing(cell: str, rows: list[EnvelopeRow]) -> CellStanding:
    found = {row.standing for row in rows}
    standing: Standing = "lost" if "lost" in found else "won" if "won" in found else "undecided"
    decided_first = sorted(rows, key=lambda row: row.standing != standing)
    return CellStanding(
        cell=cell,
        standing=standing,
        is_qualified=all(row.outcome in ("PASS", "NOT_APPLICABLE") for row in rows),
        by=tuple(_said(row) for row in decided_first),
    )


def _standing(verdict: Verdict, row: Row) -> Standing:
    if verdict.kind == "attainment":  # an absolute share: it can lose a cell, never win one
        return "lost" if row.outcome == "FAIL" else "undecided"
    if row.lower is None or row.upper is None:
        return "undecided"
    return "won" if row.upper < 0 else "lost" if row.lower > 0 else "undecided"


def _said(row: EnvelopeRow) -> str:
    if row.row.estimate is None:
        return f"{row.metric}: {row.row.note}"
    say = relative if row.unit == "share" else harm
    bounds = f"[{say(row.row.lower)}, {say(row.row.upper)}]"
    return f"{row.metric} {say(row.row.estimate)} {bounds}"
