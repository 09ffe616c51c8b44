"""LoRA: what it costs to serve adapters beside the model, cell by cell."""

from evals.workload.cell import CellSpec
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.figures.means import mean_of, metric, told
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED
from reports.words.plain_words import load_words

REMEDY = (
    "No adapter was served in this run. Name the adapters in the study's workload.adapters, give a "
    "cell `adapters: mixed`, and have the engine load them (engine_arguments: [--enable-lora, "
    "--lora-modules, NAME=FOLDER])."
)
FIGURES = {
    "tpot_ms_mean": ("TPOT, mean", "ms"),
    "ttft_ms_p50": ("TTFT, median", "ms"),
    "output_tokens_per_s": ("Throughput", "tokens/s"),
}


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    workload = view.told.study.workload
    pairs = [(spec, _plain(spec, view)) for spec in workload.cells if spec.adapters == "mixed"]
    rows = tuple(
        _row(arm, one, "model and adapters" if one is spec else "model alone")
        for spec, plain in pairs
        for arm in view.arms
        for one in (plain, spec)
        if one is not None and arm.cells(one.name) and arm.cells(spec.name)
    )
    if not rows:
        return (Missing(REMEDY),)
    absent = [spec.name for spec, plain in pairs if plain is None]
    alone = (
        f"No cell without adapters stands beside {', '.join(absent)}, so what the adapters cost "
        "there is not known. Add the same cell without `adapters: mixed`."
    )
    return (_table(view, rows), *([Missing(alone)] if absent else []))


def _plain(spec: CellSpec, view: View) -> CellSpec | None:
    """Find the cell that differs in nothing but the adapters."""
    alike = spec.model_copy(update={"adapters": "none"})
    cells = view.told.study.workload.cells
    return next((one for one in cells if one.name == alike.name), None)


def _table(view: View, rows: tuple[tuple[Value, ...], ...]) -> Table:
    names = view.told.study.workload.adapters
    return Table(
        caption=f"{len(names)} adapters ({', '.join(names)}) and the model itself, asked evenly in "
        "one stream of requests; beside it the same load on the model alone, where the study has "
        "such a cell. Means over valid repeats, with 95 % bounds each side. What each adapter "
        "answers is not judged: accuracy is measured of the model alone.",
        columns=(
            Column("Cell"),
            Column("Arm"),
            *(Column(head, "number") for head, _ in FIGURES.values()),
        ),
        rows=rows,
        is_stacked=False,
    )


def _row(arm: Arm, spec: CellSpec, served: str) -> tuple[Value, ...]:
    figures = (
        told(mean_of(arm, spec.name, metric(key)), unit) for key, (_, unit) in FIGURES.items()
    )
    return (
        Value(spec.name, note=f"{served}, {load_words(spec)}"),
        Value(arm.name, colour=arm.colour),
        *(NOT_ASKED if not spec.streaming and unit == "ms" else value
          for value, (_, unit) in zip(figures, FIGURES.values(), strict=True)),
    )  # fmt: skip


SECTION = Section("lora", "LoRA", build)
