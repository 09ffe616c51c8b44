"""Checks: every look of an early stage must have passed; no look is no pass."""

from evals.gates.kinds import CheckGate
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Outcome, Row, Verdict, verdict_of, worst_of
from evals.results import Check, Evidence
from evals.study import Study
from variants.errors import MeasurementError

OUTCOMES: dict[bool | None, Outcome] = {True: "PASS", False: "FAIL", None: "INCONCLUSIVE"}


def judge(gate: CheckGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Fail on the first look that failed; be inconclusive on one that could not be taken.

    Raises:
        MeasurementError: the stage left no look at all.
    """
    rows = [
        Row(label=check.name, outcome=OUTCOMES[check.passed], note=check.reason)
        for check in _checks(gate, evidence)
    ]
    if not rows:
        raise MeasurementError(f"no check of stage {gate.stage} was recorded")
    worst = worst_of(rows)
    deciding = worst.model_copy(update={"n": len(rows)})
    return verdict_of(
        gate, Measure(gate.stage, "checks", None), deciding, _reason(rows, worst), rows
    )


def _checks(gate: CheckGate, evidence: Evidence) -> list[Check]:
    payloads = [record.payload for record in evidence.records]
    return [item for item in payloads if isinstance(item, Check) and item.stage == gate.stage]


def _reason(rows: list[Row], worst: Row) -> str:
    if worst.outcome == "PASS":
        return f"all {len(rows)} checks passed"
    seen = "failed" if worst.outcome == "FAIL" else "could not be looked at"
    return f"{worst.label} {seen}: {worst.note}"
