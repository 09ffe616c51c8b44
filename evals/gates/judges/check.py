"""Checks: every look of an early stage must have passed; a look that is missing is no pass."""

from evals.gates.kinds import CheckGate
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Outcome, Row, Verdict, verdict_of, worst_of
from evals.results import Check, Evidence
from evals.study import Study
from variants.errors import MeasurementError

SERVED = ("check.variant", "check.baseline")  # both arms are looked at once they are served
SERVED_STAGES = ("identity", "coherence")
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
    if worst.outcome == "PASS" and (gap := _gap(gate, evidence)):
        raise MeasurementError(gap)
    deciding = worst.model_copy(update={"n": len(rows)})
    return verdict_of(
        gate, Measure(gate.stage, "checks", None), deciding, _reason(rows, worst), rows
    )


def _checks(gate: CheckGate, evidence: Evidence) -> list[Check]:
    return [check for _, check in _steps(gate, evidence)]


def _steps(gate: CheckGate, evidence: Evidence) -> list[tuple[str, Check]]:
    return [
        (record.step, record.payload)
        for record in evidence.records
        if isinstance(record.payload, Check) and record.payload.stage == gate.stage
    ]


def _gap(gate: CheckGate, evidence: Evidence) -> str | None:
    """Say which looks are missing: some of those taken in one go, or all of one arm."""
    groups: dict[str, set[str]] = {}
    wanted: dict[str, int] = {}
    for record in evidence.records:
        check = record.payload
        if isinstance(check, Check) and check.num_together is not None:
            group, _, _ = record.step.partition(f".{check.name.replace(' ', '-')}")
            groups.setdefault(group, set()).add(check.name)
            wanted[group] = check.num_together
    mine = {step for step, _ in _steps(gate, evidence)}
    for group in sorted(groups):
        is_asked = any(step.startswith(f"{group}.") for step in mine)
        if is_asked and len(groups[group]) != wanted[group]:
            return f"{len(groups[group])} of the {wanted[group]} looks of {group} are recorded"
    if set(groups) & set(SERVED) and gate.stage in SERVED_STAGES:
        absent = [arm for arm in SERVED if not any(step.startswith(f"{arm}.") for step in mine)]
        if absent:
            return f"no {gate.stage} look of {' and '.join(absent)} is recorded"
    return None


def _reason(rows: list[Row], worst: Row) -> str:
    if worst.outcome == "PASS":
        return f"all {len(rows)} checks passed" if len(rows) > 1 else "its check passed"
    seen = "failed" if worst.outcome == "FAIL" else "could not be looked at"
    return f"{worst.label} {seen}: {worst.note}"
