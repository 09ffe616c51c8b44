"""Damage against the baseline, row by row, as forest plots and as a table.

Every row stands on one axis: to the right is worse, the red tick is its margin. Damage is stored
as a share and read as a hundredth of something: points of accuracy, or % of a figure.
"""

from typing import NamedTuple

from evals.gates.verdict import Row, Verdict
from reports.blocks import Block, Column, Figures, Table, Value, legend_of
from reports.charts import Span, domain_of, forest
from reports.view import VariantView, View
from reports.words.numbers import NOT_ASKED, TONES, interval, reading


class Loss(NamedTuple):
    """One judged row of one variant's gate."""

    variant: VariantView
    verdict: Verdict
    row: Row


class Wording(NamedTuple):
    """What losses are called, what their rows are of, and their unit."""

    title: str
    caption: str
    gate: str
    n: str
    unit: str


def find_losses(view: View, kind: str) -> list[Loss]:
    """Return the rows with an estimate, of all gates of one kind."""
    return [
        Loss(variant, verdict, row)
        for variant in view.variants
        for verdict in (variant.decision.verdicts if variant.decision else ())
        for row in verdict.details
        if verdict.kind == kind and row.estimate is not None
    ]


def loss_blocks(losses: list[Loss], wording: Wording) -> tuple[Block, ...]:
    """Draw one forest plot per variant on one axis, and set the numbers below."""
    by_variant: dict[str, list[Span]] = {}
    for loss in losses:
        by_variant.setdefault(loss.variant.name, []).append(_span(loss))
    domain = domain_of([span for spans in by_variant.values() for span in spans])
    return (
        Figures(
            wording.caption,
            legend_of(loss.variant for loss in losses),
            tuple(forest(name, wording.unit, spans, domain) for name, spans in by_variant.items()),
        ),
        _table(losses, wording),
    )


def _table(losses: list[Loss], wording: Wording) -> Table:
    return Table(
        caption=f"The same in numbers: {wording.title}.",
        columns=(
            Column("Variant"),
            Column(wording.gate),
            Column("Loss and bounds", "number"),
            Column("Margin", "number"),
            Column(wording.n, "number"),
            Column("Verdict"),
        ),
        rows=tuple(_row(loss, wording.unit) for loss in losses),
    )


def _span(loss: Loss) -> Span:
    variant, verdict, row = loss
    assert row.estimate is not None
    return Span(
        label=f"{verdict.gate}, {row.label}" if row.label else verdict.gate,
        colour=variant.colour,
        estimate=row.estimate * 100,
        lower=_hundredths(row.lower),
        upper=_hundredths(row.upper),
        margin=_hundredths(row.margin),
    )


def _hundredths(share: float | None) -> float | None:
    return None if share is None else share * 100


def _row(loss: Loss, unit: str) -> tuple[Value, ...]:
    variant, verdict, row = loss
    assert row.estimate is not None
    return (
        Value(variant.name, colour=variant.colour),
        Value(verdict.gate, note=row.label),
        interval(row.estimate * 100, _hundredths(row.lower), _hundredths(row.upper), unit),
        reading(_hundredths(row.margin), unit),
        NOT_ASKED if row.n is None else Value(f"{row.n:,}"),
        Value(row.outcome, is_badge=True, tone=TONES[row.outcome]),
    )
