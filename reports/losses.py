"""Damage against the baseline, row by row, as a forest plot inside a table.

Every row stands on one axis: to the right is worse, the dashed line is the margin. Damage is
stored as a share and read as a hundredth of something: points of accuracy, or % of a figure.
"""

from typing import NamedTuple

from evals.gates.verdict import Row, Verdict
from reports.blocks import Column, Table, Value
from reports.charts import Span, axis_of, forest_row
from reports.numbers import NOT_ASKED, TONES, interval, reading
from reports.view import VariantView, View


class Loss(NamedTuple):
    """One judged row of one variant's gate."""

    variant: VariantView
    verdict: Verdict
    row: Row


class Wording(NamedTuple):
    """What a table of losses is called, what its rows are of, and its unit."""

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


def loss_table(losses: list[Loss], wording: Wording) -> Table:
    """Set losses beside their plot."""
    spans = tuple(_span(loss) for loss in losses)
    axis = axis_of(spans)
    return Table(
        caption=wording.caption,
        columns=(
            Column("Variant"),
            Column(wording.gate),
            Column("Loss", "chart", axis.draw()),
            Column("Loss and bounds", "number"),
            Column("Margin", "number"),
            Column(wording.n, "number"),
            Column("Verdict"),
        ),
        rows=tuple(
            _row(loss, Value("", chart=forest_row(span, axis)), wording.unit)
            for loss, span in zip(losses, spans, strict=True)
        ),
    )


def _span(loss: Loss) -> Span:
    variant, verdict, row = loss
    assert row.estimate is not None
    return Span(
        label=f"{variant.name}, {verdict.gate}, {row.label}",
        colour=variant.colour,
        estimate=row.estimate * 100,
        lower=_hundredths(row.lower),
        upper=_hundredths(row.upper),
        margin=_hundredths(row.margin),
    )


def _hundredths(share: float | None) -> float | None:
    return None if share is None else share * 100


def _row(loss: Loss, plot: Value, unit: str) -> tuple[Value, ...]:
    variant, verdict, row = loss
    assert row.estimate is not None
    return (
        Value(variant.name, colour=variant.colour),
        Value(verdict.gate, note=row.label),
        plot,
        interval(row.estimate * 100, _hundredths(row.lower), _hundredths(row.upper), unit),
        reading(_hundredths(row.margin), unit),
        NOT_ASKED if row.n is None else Value(f"{row.n:,}"),
        Value(row.outcome, is_badge=True, tone=TONES[row.outcome]),
    )
