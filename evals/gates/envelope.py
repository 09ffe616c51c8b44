"""The operating envelope: in which cells a variant is qualified, and in which it loses."""

from collections.abc import Sequence

from evals.gates.verdict import Outcome, Row, Verdict
from evals.results import Result

KINDS = ("no_worse", "attainment")


class EnvelopeRow(Result):
    """One performance gate in one cell; the row's numbers are the gate's."""

    cell: str
    gate: str
    metric: str
    unit: str
    outcome: Outcome
    row: Row


def envelope_rows(verdicts: Sequence[Verdict]) -> tuple[EnvelopeRow, ...]:
    """Gather the rows of the performance gates, cell by cell."""
    rows = [
        EnvelopeRow(
            cell=row.label,
            gate=verdict.gate,
            metric=verdict.metric or "",
            unit=verdict.unit or "",
            outcome=row.outcome,
            row=row,
        )
        for verdict in verdicts
        if verdict.kind in KINDS
        for row in verdict.details
    ]
    return tuple(sorted(rows, key=lambda row: row.cell))
