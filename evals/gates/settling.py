"""What would settle a HOLD, gate by gate, and the device minutes that it costs.

The cost is what this run's own measurements took, per item or per repeat of a cell, in both arms.

Example: 400 items took 100 s in the baseline and 60 s in the variant; 700 more at .4 s each are
280 s, 4.7 minutes.
"""

from collections.abc import Sequence

from pydantic import Field

from evals.gates.verdict import Verdict, worst_of
from evals.results import Cell, Evidence, Result, SuiteResult
from evals.study import Study

SECONDS_PER_MINUTE = 60


class Settlement(Result):
    """One open gate, and what would decide it."""

    gate: str | None = Field(description="None: the evidence as a whole")
    text: str
    device_minutes: float | None = Field(
        default=None, description="of this target, both arms; None: not a question of more of it"
    )


def settlements(
    study: Study, evidence: Evidence, open_verdicts: Sequence[Verdict]
) -> tuple[Settlement, ...]:
    """Say of each open verdict what would decide it."""
    return tuple(_settlement(study, evidence, verdict) for verdict in open_verdicts)


def _settlement(study: Study, evidence: Evidence, verdict: Verdict) -> Settlement:
    if verdict.n_needed is None or verdict.n is None:
        return Settlement(gate=verdict.gate, text=verdict.reason)
    is_suite = verdict.kind == "paired_accuracy"
    label = worst_of(verdict.details).label
    seconds = _item_s(evidence, verdict, label) if is_suite else _repeat_s(study, evidence, label)
    unit = "items" if is_suite else "repeats"
    is_unlucky = verdict.n_needed <= verdict.n  # so many settle it four times in five
    more = verdict.n if is_unlucky else verdict.n_needed - verdict.n
    minutes = more * seconds / SECONDS_PER_MINUTE
    told = f"{more} {unit} more" if is_unlucky else f"about {verdict.n_needed} {unit}"
    cost = f", about {minutes:.1f} device minutes more" if minutes else ""
    return Settlement(
        gate=verdict.gate,
        text=f"{told} {'beside the' if is_unlucky else 'instead of'} {verdict.n}{cost}",
        device_minutes=minutes or None,
    )


def _item_s(evidence: Evidence, verdict: Verdict, path: str) -> float:
    """Seconds per item in both arms."""
    results = [record.payload for record in evidence.records]
    return sum(
        result.seconds / max(1, result.num_issued)
        for result in results
        if isinstance(result, SuiteResult)
        and verdict.metric == f"accuracy of {result.suite}"
        and result.path == path
        and result.arm != "null"
    )


def _repeat_s(study: Study, evidence: Evidence, label: str) -> float:
    """Seconds per repeat of a cell in both arms: ramp, window, and what it takes to drain."""
    cells = [record.payload for record in evidence.records]
    windows = {
        cell.arm: study.workload.ramp_s + cell.window_s
        for cell in cells
        if isinstance(cell, Cell) and label.endswith(cell.name)
    }
    return sum(windows.values())
