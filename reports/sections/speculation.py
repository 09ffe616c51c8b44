"""Speculation by concurrency: how many drafted tokens are accepted while more users wait.

Drafts are free while the device waits for memory, and cost others their turn once it computes all
the time, so acceptance says little without the load. In one step the model confirms some drafted
tokens and adds one of its own: tokens per step are generated / (generated - accepted), about, for
what is drafted past the end of an answer counts as accepted too.

Example: 1,000 drafted, 600 accepted, 900 generated: 60 % accepted, 900 / 300 = 3 tokens per step.
"""

from evals.results import Cell, Speculated
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.figures.means import mean_of, metric, told
from reports.view import Arm, View
from reports.words.numbers import reading

REMEDY = (
    "No engine drafted tokens ahead in this run. Name a variant that speculates "
    "(`ngram_speculation`, `draft_speculation`, `eagle_speculation`, `mtp_speculation`), and cells "
    "from closed: 1 upwards: drafted and accepted tokens are then counted by load and kind of text."
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
    kinds = _kinds(view)
    if not rows:
        return kinds or (Missing(REMEDY),)
    return (
        *kinds,
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


def _kinds(view: View) -> tuple[Block, ...]:
    """Show acceptance by kind of text and by requests in flight, beside the same without drafts."""
    rows = tuple(
        (
            Value(one.data_class),
            Value(f"{one.concurrency:,}", note=f"{one.num_requests:,} requests"),
            Value(arm.name, colour=arm.colour),
            reading(_percent(one.acceptance_rate), "%"),
            reading(one.acceptance_length, "tokens"),
            reading(one.output_tokens_per_s, "tokens/s"),
            reading(one.baseline_tokens_per_s, "tokens/s"),
        )
        for arm in view.variants
        for one in arm.payloads(Speculated)
    )
    if not rows:
        return ()
    caption = (
        "By kind of text: each kind asked once (n = 1) of both arms, at one request in flight, at "
        "the study's load and at twice that. Accepted: of the drafted tokens, by the engine's "
        "counters. Tokens per step: 1 + accepted / steps with a draft."
    )
    columns = (
        Column("Text"),
        Column("In flight", "number"),
        Column("Arm"),
        Column("Accepted", "number"),
        Column("Tokens per step", "number"),
        Column("Throughput", "number"),
        Column("Baseline's", "number"),
    )
    return (Table(caption, columns, rows, is_stacked=False),)


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
