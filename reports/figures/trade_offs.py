"""The axes that quality is traded against: speed, throughput and memory of every arm.

Speed and throughput are gains against the baseline that was measured beside the variant, in turns:
two variants are measured hours apart, on a machine that is not as fast all day. Memory is counted.
"""

from collections.abc import Callable
from dataclasses import dataclass

from evals.gates.gains import gain_in
from evals.gates.metrics import Direction
from evals.results import Memory
from evals.study import Study
from reports.blocks import Value
from reports.charts import Reach
from reports.figures.cost import THROUGHPUT
from reports.figures.means import CONFIDENCE
from reports.view import Arm, VariantView
from reports.words.numbers import GIB, NOT_MEASURED, gain, rounded
from reports.words.plain_words import cell_words, figure_words


@dataclass(frozen=True, slots=True)
class Figure:
    """An arm's figure: as drawn, and as read in the table."""

    reach: Reach
    value: Value


@dataclass(frozen=True, slots=True)
class Axis:
    """What quality is set against, and how it is read of an arm."""

    name: str  # short, as "memory"
    title: str
    says: str  # long
    unit: str
    direction: Direction
    read: Callable[[Arm], Figure | None]


def axes_of(study: Study) -> tuple[Axis, ...]:
    """Return the objective, the throughput of the busiest closed cell, and memory."""
    objective, cell = study.objective, busiest_cell(study)
    axes = [_axis("speed", study, objective.metric, objective.cell)]
    if (objective.metric, objective.cell) != (THROUGHPUT, cell):
        axes.append(_axis("throughput", study, THROUGHPUT, cell))
    memory = Axis("memory", "Weights and KV cache", "weights and KV cache", "GiB", "lower", _memory)
    return (*axes, memory)


def busiest_cell(study: Study) -> str:
    """Return the judged closed cell with most users, or the objective's: there is no other."""
    closed = [
        (spec.closed, spec.name)
        for spec in study.workload.cells
        if spec.judged and spec.closed is not None
    ]
    return max(closed)[1] if closed else study.objective.cell


def _axis(name: str, study: Study, figure: str, cell: str) -> Axis:
    words = figure_words(figure)

    def read(arm: Arm) -> Figure | None:
        if not isinstance(arm, VariantView):
            return Figure(Reach(0.0, 0.0, 0.0), Value("0 %", note="by definition"))
        found = gain_in(figure, cell, arm.evidence, CONFIDENCE)
        if found is None:
            return None
        ends = (100 * found.lower, 100 * found.upper)
        return Figure(Reach(100 * found.estimate, *ends), gain(found))

    says = f"gain in {words} in cell {cell_words(study, cell)}"
    return Axis(name, f"Gain in {words}, {cell}", says, "%", "higher", read)


def _memory(arm: Arm) -> Figure | None:
    """Read what was loaded; counted, so its bounds are the figure itself."""
    found = arm.payloads(Memory)[-1:]
    if not found or found[0].kv_cache_bytes is None:
        return None
    size = found[0].weight_bytes + found[0].kv_cache_bytes
    gib = size / GIB  # of all arms alike, as the chart's axis has it
    return Figure(Reach(gib, gib, gib), Value(f"{rounded(gib)} GiB", exact=f"{size} bytes"))


def value_of(figure: Figure | None) -> Value:
    """Read a figure, or say that there is none."""
    return NOT_MEASURED if figure is None else figure.value
