"""The operating envelope: in which cells each variant wins, loses, or is not told apart."""

from evals.gates.envelope import CellStanding, Standing
from reports.blocks import Block, Column, Missing, Section, Table, Tone, Value
from reports.numbers import NOT_MEASURED
from reports.view import VariantView, View

STANDING_TONES: dict[Standing, Tone] = {"won": "pass", "lost": "fail", "undecided": "hold"}


def build(view: View) -> tuple[Block, ...]:
    """Fill the section with one row per variant and one column per cell."""
    judged = [v for v in view.variants if v.decision is not None and v.decision.cells]
    if not judged:
        return (Missing("No cell was judged in this run: where a variant wins was not measured."),)
    names = [spec.name for spec in view.told.study.workload.cells]
    caption = (
        "Won: a metric better over its whole interval and none worse; lost: one worse, or the SLO "
        "missed; undecided: neither. Qualified: every performance gate passes in the cell."
    )
    rows = tuple(_row(variant, names) for variant in judged)
    return (Table(caption, (Column("Variant"), *map(Column, names)), rows),)


def _row(variant: VariantView, names: list[str]) -> tuple[Value, ...]:
    assert variant.decision is not None
    found = {cell.cell: cell for cell in variant.decision.cells}
    cells = (_standing(found[name]) if name in found else NOT_MEASURED for name in names)
    return (Value(variant.name, colour=variant.colour), *cells)


def _standing(cell: CellStanding) -> Value:
    qualified = "qualified" if cell.is_qualified else "not qualified"
    return Value(
        cell.standing,
        exact="; ".join(cell.by),
        note=f"{qualified}; {cell.by[0]}" if cell.by else qualified,
        tone=STANDING_TONES[cell.standing],
        is_badge=True,
    )


SECTION = Section("envelope", "Operating envelope", build)
