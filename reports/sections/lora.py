"""LoRA: what each adapter does where it is served, and what it costs to serve adapters."""

from dataclasses import replace

from evals.results import Check
from evals.workload.cell import CellSpec
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Tone, Value
from reports.figures.adapter_looks import AdapterLooks, comparisons, looks_of
from reports.figures.means import mean_of, metric, told
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, NOT_MEASURED, reading
from reports.words.plain_words import load_words

REMEDY = (
    "No adapter was served in this run. To qualify one, name it among the study's variants "
    "(`lora`, `lora_merged` or `loras`; `python -m variants.catalogue` lists their options). To "
    "see what adapters cost under load, name them in workload.adapters, and give a cell "
    "`adapters: mixed`."
)
TONE: dict[bool | None, Tone] = {True: "pass", False: "fail", None: "hold"}
LOADING = {"unload_s": "unloaded in", "load_s": "loaded in", "first_token_s": "first token after"}
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
    looks = _looks(view)
    if not rows:
        return looks or (Missing(REMEDY),)
    absent = [spec.name for spec, plain in pairs if plain is None]
    alone = (
        f"No cell without adapters stands beside {', '.join(absent)}, so what the adapters cost "
        "there is not known. Add the same cell without `adapters: mixed`."
    )
    return (*looks, _table(view, rows), *([Missing(alone)] if absent else []))


def _looks(view: View) -> tuple[Block, ...]:
    """Show what each adapter did at the endpoint, and one process against several."""
    rows = tuple(_looked(arm, one) for arm in view.variants for one in looks_of(arm))
    if not rows:
        return ()
    caption = (
        "Effect: mean change of log-probabilities that the adapter makes where it is served, "
        "beside that of the base asked twice. Strength: share of its effect on the unquantized "
        "base, with bounds at 95 % each side. Loading: the adapter taken out of the running engine "
        "and put back, once (n = 1)."
    )
    columns = (
        Column("Variant"),
        Column("Adapter"),
        Column("Effect", "number"),
        Column("Strength", "number"),
        Column("Loading"),
    )
    told = (Prose(f"{one.reason}.") for one in comparisons(view))
    return (Table(caption, columns, rows), *told)


def _looked(arm: Arm, looks: AdapterLooks) -> tuple[Value, ...]:
    return (
        Value(arm.name, colour=arm.colour),
        Value(looks.name),
        _effect(looks.effect),
        _strength(looks.strength),
        _loading(looks.loading),
    )


def _effect(look: Check | None) -> Value:
    if look is None:
        return NOT_ASKED
    noise = reading(_number(look, "mean_null_nats"), "nats").text
    shown = reading(_number(look, "mean_effect_nats"), "nats", note=f"base twice {noise}")
    return replace(shown, tone=TONE[look.passed])


def _strength(look: Check | None) -> Value:
    if look is None:
        return NOT_MEASURED
    lower, upper = (reading(_number(look, end)).text for end in ("lower", "upper"))
    shown = reading(_number(look, "strength"), note=f"[{lower}, {upper}]")
    return replace(shown, exact=look.reason, tone=TONE[look.passed])


def _loading(look: Check | None) -> Value:
    if look is None:
        return NOT_ASKED
    parts = [f"{said} {reading(_number(look, key), 's').text}" for key, said in LOADING.items()]
    return Value(", ".join(parts), exact=look.reason, tone=TONE[look.passed])


def _number(look: Check, key: str) -> float | None:
    value = look.values.get(key)
    return value if isinstance(value, float | int) else None


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
