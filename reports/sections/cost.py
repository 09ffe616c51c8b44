"""What each arm costs: money and energy per token, processor cores, and what the run took."""

from collections.abc import Callable
from dataclasses import replace

from evals.results import Artifact, Cell
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.figures.cost import cost_of
from reports.figures.means import mean_of, metric, told
from reports.view import Arm, View
from reports.words.numbers import duration, rounded
from reports.words.plain_words import load_words

Reading = Callable[[Arm, str], Value]
FORMULA = (
    "USD per million output tokens: {price:g} USD per device hour / (output tokens/s x 3600) x "
    "1,000,000. In an open cell the load sets the throughput: compare cost in closed cells."
)
TAKEN = {  # metric -> its title, unit, what to do where no cell has it
    "energy_j_per_token": (
        "Energy per output token.", "J/token",
        "Energy per token was not measured: no power was read here. Run the study on a target "
        "whose device reports its power (target: cuda).",
    ),
    "device_power_w": ("Power of the device.", "W", ""),
    "engine_cpu_cores": (
        "Processor cores taken: processor seconds of the engine per second.", "cores",
        "Processor cores were not measured: the engine's processes could not be read. Run the "
        "engine on the machine that measures.",
    ),
}  # fmt: skip
NO_PRICE = "Cost was not worked out: give the study price_per_device_hour, in USD."
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
    tables = [_table(view, title, _taken(key, unit)) for key in keys
              for title, unit in (TAKEN[key][:2],)]  # fmt: skip
    if price is None:
        absent.insert(0, NO_PRICE)
    else:
        tables.insert(0, _table(view, FORMULA.format(price=price), _priced(price)))
    return (*tables, *map(Missing, absent), *_builds(view), *_run(view))


def _priced(price: float) -> Reading:
    return lambda arm, cell: told(cost_of(arm, cell, price), "USD")


def _taken(key: str, unit: str) -> Reading:
    return lambda arm, cell: told(mean_of(arm, cell, metric(key)), unit)


def _table(view: View, title: str, read: Reading) -> Table:
    """Set a figure of all arms side by side, one row a judged cell."""
    arms = [arm for arm in view.arms if arm.payloads(Cell)]
    cells = [spec for spec in view.told.study.workload.cells if spec.judged]
    return Table(
        caption=f"{title} Means over valid repeats of the judged cells, with 95 % bounds each "
        "side.",
        columns=(Column("Cell"), *(Column(arm.name, "number") for arm in arms)),
        rows=tuple(
            (
                Value(spec.name, note=load_words(spec)),
                *(replace(read(arm, spec.name), colour=arm.colour) for arm in arms),
            )
            for spec in cells
        ),
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
