"""The operating envelope: in which cells each variant wins, loses, or is not told apart."""

from evals.gates.envelope import CellStanding, Standing
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Tone, Value
from reports.sections.performance import TITLE
from reports.view import VariantView, View
from reports.words.numbers import NOT_MEASURED
from reports.words.plain_words import cell_words, figure_words

STANDING_TONES: dict[Standing, Tone] = {"won": "pass", "lost": "fail", "undecided": "hold"}
MOST_STACKED = 5  # columns that still stand side by side; more scroll in themselves


def build(view: View) -> tuple[Block, ...]:
    """Fill the section: counts per variant, then one row per variant and one column per cell."""
    judged = [v for v in view.variants if v.decision is not None and v.decision.cells]
    if not judged:
        return (
            Missing(
                "No cell was judged in this run: where a variant wins was not measured. Give the "
                "study workload.cells with 5 repeats or more."
            ),
        )
    cells = view.told.study.workload.cells
    names = [spec.name for spec in cells if spec.judged]
    shown = [cell_words(view.told.study, spec.name) for spec in cells if not spec.judged]
    only_shown = f"Measured and shown under {TITLE}, not judged: {', '.join(shown)}."
    return (
        _summary(judged),
        _matrix(judged, names, view),
        *([Prose(only_shown)] if shown else []),
    )


def _summary(judged: list[VariantView]) -> Table:
    return Table(
        caption="Won: a metric better over its whole interval and none worse; lost: one worse, or "
        "the SLO missed; undecided: neither. Qualified: every performance gate passes in the cell.",
        columns=tuple(map(Column, ("Variant", "Won", "Lost", "Undecided", "Qualified"))),
        rows=tuple(_counts(variant) for variant in judged),
    )


def _counts(variant: VariantView) -> tuple[Value, ...]:
    assert variant.decision is not None
    cells = variant.decision.cells
    by_standing = [
        _listed([cell.cell for cell in cells if cell.standing == standing], len(cells))
        for standing in STANDING_TONES
    ]
    qualified = _listed([cell.cell for cell in cells if cell.is_qualified], len(cells))
    return (Value(variant.name, colour=variant.colour), *by_standing, qualified)


def _listed(names: list[str], num_all: int) -> Value:
    return Value(f"{len(names)} of {num_all}", note=", ".join(names))


def _matrix(judged: list[VariantView], names: list[str], view: View) -> Table:
    loads = "; ".join(cell_words(view.told.study, name) for name in names)
    return Table(
        caption="The same, cell by cell, with the first figure that decides and its bounds. "
        f"Cells: {loads}.",
        columns=(Column("Variant"), *map(Column, names)),
        rows=tuple(_row(variant, names) for variant in judged),
        is_stacked=len(names) < MOST_STACKED,
    )


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
        note=f"{qualified}; {_plain(cell.by[0])}" if cell.by else qualified,
        tone=STANDING_TONES[cell.standing],
        is_badge=True,
    )


def _plain(said: str) -> str:
    """Put the name of the figure, which comes first, in words."""
    metric, _, rest = said.partition(" ")
    return f"{figure_words(metric)} {rest}"


SECTION = Section("envelope", "Operating envelope", build)
