"""What each arm costs: money and energy per token, processor cores, and what the run took."""

from collections.abc import Sequence

from evals.results import Artifact, Cell
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.cost import cost_of
from reports.means import mean_of, metric, told
from reports.numbers import duration, rounded
from reports.view import View

TAKEN = {  # metric -> head of its column, unit, what to do where no cell has it
    "energy_j_per_token": (
        "Energy", "J/token",
        "Energy per token was not measured: no power was read here. Run the study on a target "
        "whose device reports its power (target: cuda).",
    ),
    "device_power_w": ("Power", "W", ""),
    "engine_cpu_cores": (
        "CPU cores", "cores",
        "Processor time of the engine was not measured: its processes could not be read. Run the "
        "engine on the machine that measures (target: cpu or cuda).",
    ),
}  # fmt: skip
NO_PRICE = (
    "Cost was not worked out: the study gives no price. Set price_per_device_hour, in USD, and "
    "rebuild the report."
)
SECONDS_PER_MINUTE = 60


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    cells = [one for arm in view.arms for one in arm.payloads(Cell)]
    if not cells:
        missing = Missing(
            "No load was sent in this run: neither cost nor energy of a token was measured. Give "
            "the study workload.cells, and price_per_device_hour in USD for the cost."
        )
        return (missing, *_builds(view), *_run(view))
    price = view.told.study.price_per_device_hour
    keys = [key for key in TAKEN if any(one.metrics.get(key) is not None for one in cells)]
    absent = [words for key, (_, _, words) in TAKEN.items() if key not in keys and words]
    if price is None:
        absent.insert(0, NO_PRICE)
    table = [_table(view, price, keys)] if keys or price is not None else []
    return (*table, *map(Missing, absent), *_builds(view), *_run(view))


def _table(view: View, price: float | None, keys: Sequence[str]) -> Table:
    names = [spec.name for spec in view.told.study.workload.cells if spec.judged]
    heads = [(head, unit) for head, unit, _ in (TAKEN[key] for key in keys)]
    formula = "" if price is None else (
        f"Cost: {price:g} USD per device hour / (output tokens/s x 3600) x 1,000,000. In an open "
        "cell the load sets the throughput, so compare cost in closed cells. "
    )  # fmt: skip
    return Table(
        caption=f"{formula}Means over valid repeats of the judged cells, with 95 % bounds each "
        "side. Cores: processor seconds of the engine per second.",
        columns=(
            Column("Cell"),
            Column("Arm"),
            *([] if price is None else [Column("USD per million output tokens", "number")]),
            *(Column(head, "number") for head, _ in heads),
        ),
        rows=tuple(
            (
                Value(name),
                Value(arm.name, colour=arm.colour),
                *([] if price is None else [told(cost_of(arm, name, price), "USD")]),
                *(told(mean_of(arm, name, metric(key)), TAKEN[key][1]) for key in keys),
            )
            for name in names
            for arm in view.arms
            if arm.cells(name)
        ),
        is_stacked=False,
    )


def _builds(view: View) -> tuple[Block, ...]:
    """Say what it took to make each arm."""
    rows = tuple(
        (
            Value(arm.name, colour=arm.colour),
            _built(item),
        )
        for arm in view.arms
        for item in arm.payloads(Artifact)[-1:]
    )
    if not rows:
        return (Missing("No artifact was built in this run, so no build was timed."),)
    columns = (Column("Arm"), Column("Build", "number"))
    return (Table("Building each arm, once (n = 1).", columns, rows),)


def _built(item: Artifact) -> Value:
    time = duration(item.build_seconds)
    note = "when it was built; this run took it from the store" if item.was_cached else ""
    return Value(time.text, exact=time.exact, note=note)


def _run(view: View) -> tuple[Block, ...]:
    """Say what the whole run took, and its price."""
    stages = view.told.stages
    if not stages:
        return (Missing("The stages of this run were not timed, so its cost is not known."),)
    minutes = sum(stage.seconds for stage in stages) / SECONDS_PER_MINUTE
    price = view.told.study.price_per_device_hour
    bill = "" if price is None else f", {rounded(minutes / 60 * price)} USD at {price:g} an hour"
    return (
        Prose(
            f"The run took {rounded(minutes)} device minutes, installing and building "
            f"included{bill}."
        ),
    )


SECTION = Section("cost", "Cost and energy", build)
