"""The decision on one variant: PROMOTE, REJECT or HOLD, from the verdicts of all gates.

Promotion needs every critical and required gate, a benefit among them (an intersection-union test:
Berger, Technometrics 24:295, 1982, so no correction of alpha over gates). One FAIL rejects. All
else holds, with what would settle it.

Example: 14 gates pass and one is INCONCLUSIVE at n = 400 with 1,100 needed -> HOLD, settle
"tool-calling: about 1100 items instead of 400".
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from evals.gates.envelope import EnvelopeRow, envelope_rows
from evals.gates.gains import Gain, objective_gain
from evals.gates.judging import is_measured, judge_gate
from evals.gates.kinds import Gate, PairedAccuracyGate, stage_of
from evals.gates.policy import Policy, asks_benefit, is_blocking, policy_sha256
from evals.gates.verdict import Verdict, inconclusive
from evals.results import Evidence, Result
from evals.study import Study

DecisionOutcome = Literal["PROMOTE", "REJECT", "HOLD"]


class Decision(Result):
    """What is to be done with one variant, and why."""

    study: str
    run: str
    variant: str
    outcome: DecisionOutcome
    deciding_gate: str | None = Field(description="id of the gate that decided, if one did")
    reason: str = Field(description="one plain sentence")
    stopped_at: str | None = Field(description="stage of the first blocking gate that failed")
    verdicts: tuple[Verdict, ...]
    gains: tuple[Gain, ...] = Field(description="in the study's objective; () if not measured")
    settle: tuple[str, ...] = Field(description="what would settle a HOLD")
    not_asked: tuple[str, ...] = Field(description="gates that do not apply to this change class")
    policy: str
    policy_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    margin: str = Field(description="accuracy margin judged at, as `margin 5 points`")
    envelope: tuple[EnvelopeRow, ...] = Field(description="performance gates, cell by cell")


class _Ruling(Result):
    outcome: DecisionOutcome
    gate: str | None
    reason: str


def decide(study: Study, policy: Policy, evidence: Evidence) -> Decision:
    """Judge every gate that applies, and decide."""
    asked = asked_gates(policy, evidence)
    verdicts = [judge_gate(gate, evidence, study, policy) for gate in asked]
    failed = _first_fail(asked, verdicts)
    stopped_at = stage_of(failed) if failed else None
    if stopped_at:
        verdicts = [
            _as_stopped(gate, verdict, evidence, stopped_at)
            for gate, verdict in zip(asked, verdicts, strict=True)
        ]
    ruling = _rule(policy, verdicts, objections(study, evidence))
    return Decision(
        study=evidence.study,
        run=evidence.run,
        variant=evidence.variant,
        outcome=ruling.outcome,
        deciding_gate=ruling.gate,
        reason=ruling.reason,
        stopped_at=stopped_at,
        verdicts=tuple(verdicts),
        gains=objective_gain(study, policy, evidence),
        settle=_settle(verdicts, ruling),
        not_asked=tuple(gate.id for gate in policy.gates if gate not in asked),
        policy=policy.name,
        policy_sha256=policy_sha256(policy),
        margin=margin_text(asked),
        envelope=envelope_rows(verdicts),
    )


def first_failure(policy: Policy, study: Study, evidence: Evidence) -> Verdict | None:
    """Return the first blocking FAIL among the gates measured so far, for an early stop.

    It only ever stops for REJECT, so looking often does not raise the risk of a false promotion.
    """
    for gate in asked_gates(policy, evidence):
        if is_blocking(gate) and is_measured(gate, evidence):
            verdict = judge_gate(gate, evidence, study, policy)
            if verdict.outcome == "FAIL":
                return verdict
    return None


def asked_gates(policy: Policy, evidence: Evidence) -> list[Gate]:
    """Return the gates that apply to the variant's class of change."""
    return [gate for gate in policy.gates if evidence.change_class in gate.applies_to]


def objections(study: Study, evidence: Evidence) -> list[str]:
    """Say what is wrong with the evidence as a whole; with an objection nothing is promoted."""
    found = []
    if evidence.unreadable:
        found.append(f"{len(evidence.unreadable)} records did not verify: {evidence.unreadable[0]}")
    if evidence.study != study.name:
        found.append(f"the evidence is of study {evidence.study!r}, not {study.name!r}")
    runs = {(record.study, record.run) for record in evidence.records}
    foreign = sorted(runs - {(evidence.study, evidence.run)})
    if foreign:
        found.append(f"records of another study or run: {foreign[0]}")
    return found


def margin_text(gates: Sequence[Gate]) -> str:
    """Say the accuracy margins judged at: "margin 5 points", "margins 1 and 5 points"."""
    margins = sorted({gate.margin for gate in gates if isinstance(gate, PairedAccuracyGate)})
    if not margins:
        return "no accuracy margin"
    said = " and ".join(f"{100 * margin:g}" for margin in margins)
    return f"margin{'s' if len(margins) > 1 else ''} {said} points"


def _first_fail(gates: Sequence[Gate], verdicts: Sequence[Verdict]) -> Gate | None:
    for gate, verdict in zip(gates, verdicts, strict=True):
        if is_blocking(gate) and verdict.outcome == "FAIL":
            return gate
    return None


def _as_stopped(gate: Gate, verdict: Verdict, evidence: Evidence, stage: str) -> Verdict:
    if verdict.outcome != "INCONCLUSIVE" or is_measured(gate, evidence):
        return verdict
    return inconclusive(gate, f"not measured: stopped at {stage}")


def _rule(policy: Policy, verdicts: Sequence[Verdict], faults: Sequence[str]) -> _Ruling:
    blocking = [verdict for verdict in verdicts if verdict.tier != "advisory"]
    failed = next((verdict for verdict in blocking if verdict.outcome == "FAIL"), None)
    if failed:
        return _Ruling(outcome="REJECT", gate=failed.gate, reason=failed.reason)
    if faults:
        return _Ruling(outcome="HOLD", gate=None, reason="; ".join(faults))
    if not blocking:
        return _Ruling(outcome="HOLD", gate=None, reason="no critical or required gate was asked")
    open_ = next((verdict for verdict in blocking if verdict.outcome != "PASS"), None)
    if open_:
        return _Ruling(outcome="HOLD", gate=open_.gate, reason=open_.reason)
    return _rule_on_benefit(policy, blocking)


def _rule_on_benefit(policy: Policy, passed: Sequence[Verdict]) -> _Ruling:
    benefits = [verdict for verdict in passed if verdict.kind == "benefit"]
    if not benefits:
        asked = (
            "was not asked of this class" if asks_benefit(policy) else "is missing in the policy"
        )
        reason = f"a blocking benefit gate {asked}, and nothing is promoted without a benefit"
        return _Ruling(outcome="HOLD", gate=None, reason=reason)
    reason = f"all {len(passed)} critical and required gates passed; {benefits[0].reason}"
    return _Ruling(outcome="PROMOTE", gate=benefits[0].gate, reason=reason)


def _settle(verdicts: Sequence[Verdict], ruling: _Ruling) -> tuple[str, ...]:
    if ruling.outcome != "HOLD":
        return ()
    unsettled = [
        verdict for verdict in verdicts if verdict.tier != "advisory" and verdict.outcome != "PASS"
    ]
    lines = tuple(_how_to_settle(verdict) for verdict in unsettled)
    return lines if ruling.gate else (ruling.reason, *lines)


def _how_to_settle(verdict: Verdict) -> str:
    unit = "items" if verdict.kind == "paired_accuracy" else "repeats"
    if verdict.n_needed is not None and verdict.n_needed > (verdict.n or 0):
        return f"{verdict.gate}: about {verdict.n_needed} {unit} instead of {verdict.n}"
    return f"{verdict.gate}: {verdict.reason}"
