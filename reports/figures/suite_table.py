"""Every suite that a gate asks for, as a table for a terminal: the page holds the same.

Example: `int8  mmlu  engine  64  -  -  1.5  -  NOT_APPLICABLE`: the baseline has nothing to lose,
so the variant was not asked.
"""

from collections.abc import Iterator, Sequence

from evals.gates import Decision
from evals.gates.verdict import Row, Verdict

SUITE_KINDS = ("paired_accuracy", "cliff", "paired_odds", "canaries")
SHARE = "share of items"
HEAD = ("variant", "suite", "where", "items", "worth", "lost", "margin", "detectable", "verdict")
NOTHING = "-"


def suite_table(decisions: Sequence[Decision]) -> str:
    """Lay out one line per variant, suite and path; '' where no suite was asked for."""
    rows = [row for decision in decisions for row in _rows(decision)]
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in (HEAD, *rows)]
    return "\n".join(lines)


def _rows(decision: Decision) -> Iterator[tuple[str, ...]]:
    for verdict in decision.verdicts:
        if verdict.kind in SUITE_KINDS:
            rows = verdict.details or (Row(label="", outcome=verdict.outcome),)
            yield from (_row(decision.variant, verdict, row) for row in rows)


def _row(variant: str, verdict: Verdict, row: Row) -> tuple[str, ...]:
    unit = verdict.unit or SHARE
    bounds = "" if row.lower is None else f" [{_said(row.lower, unit)}, {_said(row.upper, unit)}]"
    return (
        variant,
        verdict.gate,
        row.label or NOTHING,
        NOTHING if row.n is None else f"{row.n}",
        NOTHING if row.n_effective is None else f"{row.n_effective}",
        f"{_said(row.estimate, unit)}{bounds}",
        _said(row.margin, unit),
        _said(row.detectable, unit),
        row.outcome,
    )


def _said(value: float | None, unit: str) -> str:
    """Write points for shares, and other figures as they are."""
    if value is None:
        return NOTHING
    return f"{100 * value:.1f}" if unit == SHARE else f"{value:.3g}"
