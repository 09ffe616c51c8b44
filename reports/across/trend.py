"""One variant over the runs of a study: its gains by date, as charts and as a table.

Every gain is against the baseline of its own run, so that a machine that grew slower moves both.

Example: TPOT 55 ms beside a baseline of 72 ms is a gain of 23.6 %, whatever the next run measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.gates.decision import Decision
from evals.gates.verdict import Row
from reports.across.past import PastRun, minute
from reports.blocks import Block, Chart, Column, Figures, Missing, Table, Value
from reports.charts import Reading, trend_chart
from reports.words.numbers import NOT_MEASURED, TONES, interval

COLOUR = 1  # one variant alone: the first colour beside the baseline's
SHOWN = ("tpot_ms", "ttft_ms", "output_tokens_per_s")  # metrics beside the objective's


@dataclass(frozen=True, slots=True)
class Change:
    """How much better a variant was in one metric, relative; above 0 is better."""

    estimate: float
    lower: float | None
    upper: float | None
    n: int | None


Told = tuple[PastRun, dict[str, Change]]


def followed(runs: Sequence[PastRun]) -> str | None:
    """Name the variant promoted last in these runs, newest first; None if none ever was."""
    return next((run.promoted.variant for run in runs if run.promoted), None)


def trend_blocks(runs: Sequence[PastRun]) -> tuple[Block, ...]:
    """Tell how the study's champion did from run to run, the oldest first."""
    name = followed(runs)
    if name is None:
        return (Missing("No variant of this study was ever promoted: no champion to follow."),)
    told = [(run, changes_of(run, name)) for run in reversed(runs) if name in run.decisions]
    metrics = tuple(dict.fromkeys(metric for _, changes in told for metric in changes))
    if not metrics:
        return (Missing(f"The champion {name} was decided on, and no gain of it was measured."),)
    caption = (
        f"{name}, the champion, from run to run: how much better than the baseline of the same "
        "run, in the objective's cell, with 95 % bounds each side. Above 0 is better."
    )
    table = _table(name, metrics, told)
    if len(told) == 1:
        return (table,)  # one run is no line
    charts = tuple(_chart(metric, told) for metric in metrics)
    return (Figures(caption, (Value(name, colour=COLOUR),), charts), table)


def changes_of(run: PastRun, name: str) -> dict[str, Change]:
    """Return the gains of a variant in the objective's cell: the objective's metric first."""
    decision = run.decisions[name]
    found = {
        one.metric: Change(one.estimate, one.lower, one.upper, one.n) for one in decision.gains
    }
    cells = {one.cell for one in decision.gains} or {run.study.objective.cell if run.study else ""}
    for one in decision.envelope:
        if one.cell in cells and one.metric in SHOWN and one.row.estimate is not None:
            found.setdefault(one.metric, _gained(one.row))
    return found


def _gained(damage: Row) -> Change:
    """Turn a damage into the gain it is the mirror of."""
    assert damage.estimate is not None, "asked of measured ones alone"
    lower = None if damage.upper is None else -damage.upper
    upper = None if damage.lower is None else -damage.lower
    return Change(-damage.estimate, lower, upper, damage.n)


def _chart(metric: str, told: Sequence[Told]) -> Chart:
    readings = [
        Reading(minute(run.began_at), 100 * found.estimate, _percent(found.lower),
                _percent(found.upper))
        for run, changes in told
        if (found := changes.get(metric))
    ]  # fmt: skip
    return trend_chart(f"Gain in {metric}", "%", readings, COLOUR)


def _table(name: str, metrics: Sequence[str], told: Sequence[Told]) -> Table:
    return Table(
        caption=f"{name}, the champion, in numbers: gains over the baseline of the same run in the "
        "objective's cell, 95 % bounds each side; the oldest run first, times in UTC.",
        columns=(
            *map(Column, ("Run", "Began", "Decision")),
            *(Column(metric, "number") for metric in metrics),
        ),
        rows=tuple(_row(run, run.decisions[name], metrics, changes) for run, changes in told),
    )


def _row(
    run: PastRun, decision: Decision, metrics: Sequence[str], changes: Mapping[str, Change]
) -> tuple[Value, ...]:
    outcome = decision.outcome
    return (
        Value(run.name),
        Value(minute(run.began_at)),
        Value(outcome, is_badge=True, tone=TONES[outcome]),
        *(_value(changes.get(metric)) for metric in metrics),
    )


def _value(change: Change | None) -> Value:
    if change is None:
        return NOT_MEASURED
    bounds = interval(100 * change.estimate, _percent(change.lower), _percent(change.upper), "%")
    n = "" if change.n is None else f", n\u00a0=\u00a0{change.n}"
    return Value(bounds.text, exact=bounds.exact, note=f"{bounds.note}{n}".removeprefix(", "))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
