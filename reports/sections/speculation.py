"""Speculation by concurrency: how many drafted tokens are accepted while more users wait.

Drafts are free while the device waits for memory, and cost others their turn once it computes all
the time, so acceptance says little without the load. In one step the model confirms some drafted
tokens and adds one of its own: tokens per step are generated / (generated - accepted), about, for
what is drafted past the end of an answer counts as accepted too.

Example: 1,000 drafted, 600 accepted, 900 generated: 60 % accepted, 900 / 300 = 3 tokens per step.
"""

from evals.results import Cell
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.figures.means import mean_of, metric, told
from reports.view import Arm, View

REMEDY = (
    "No engine drafted tokens ahead in this run. Give the study's engine_arguments a draft (vLLM: "
    "--speculative-config), and cells from closed: 1 upwards: the engine's counters of drafted and "
    "accepted tokens are then kept cell by cell."
)
HEADS = ("Requests running", "Accepted", "Tokens per step", "Time per output token")


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    rows = tuple(
        _row(arm, spec.name)
        for spec in view.told.study.workload.cells
        for arm in view.arms
        if any(accepted_share(cell) is not None for cell in arm.cells(spec.name))
    )
    if not rows:
        return (Missing(REMEDY),)
    return (
        Table(
            caption="By the engine's own counters over each window: accepted / drafted tokens, and "
            "generated / (generated - accepted) tokens per step and request, about. Means over "
            "valid repeats, with 95 % bounds each side. Read down a variant: where more requests "
            "run, an accepted draft saves less time.",
            columns=(
                Column("Cell"),
                Column("Arm"),
                *(Column(head, "number") for head in HEADS),
            ),
            rows=rows,
            is_stacked=False,
        ),
    )


def accepted_share(cell: Cell) -> float | None:
    """Return accepted / drafted tokens; None: nothing was drafted, or nobody counted."""
    drafted, accepted = (cell.engine.get(f"spec_{one}_total") for one in ("drafted", "accepted"))
    return accepted / drafted if drafted and accepted is not None else None


def tokens_per_step(cell: Cell) -> float | None:
    """Return how many tokens one step gives one request, about."""
    made, accepted = (
        cell.engine.get(name) for name in ("generated_tokens_total", "spec_accepted_total")
    )
    if made is None or accepted is None or made <= accepted:
        return None
    return made / (made - accepted)


def _row(arm: Arm, cell: str) -> tuple[Value, ...]:
    share = mean_of(arm, cell, lambda one: _percent(accepted_share(one)))
    return (
        Value(cell),
        Value(arm.name, colour=arm.colour),
        told(mean_of(arm, cell, lambda one: one.engine.get("running")), ""),
        told(share, "%"),
        told(mean_of(arm, cell, tokens_per_step), "tokens"),
        told(mean_of(arm, cell, metric("tpot_ms_mean")), "ms"),
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


SECTION = Section("speculation", "Speculation by concurrency", build)
