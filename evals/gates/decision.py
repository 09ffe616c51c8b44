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

from evals.gates.asked import asked_gates
from evals.gates.envelope import CellStanding, EnvelopeRow, envelope_rows, standings
from evals.gates.gains import Gain, objective_gain
from evals.gates.judging import judge_gate
from evals.gates.kinds import Gate, PairedAccuracyGate, stage_of
from evals.gates.policy import Policy, asks_benefit, is_blocking, policy_sha256
from evals.gates.preconditions import objections
from evals.gates.reading import is_measured, record_sha256
from evals.gates.settling import Settlement, settlements
from evals.gates.verdict import Verdict, inconclusive
from evals.gates.waiver import Moment, Waiver, Waivers, apply_waivers
from evals.results import Evidence, ModelClass, Result
from evals.statistics import holm
from evals.study import Study
from variants.fingerprint import sha256_text
from variants.specs.ladder import ChangeClass

DecisionOutcome = Literal["PROMOTE", "REJECT", "HOLD"]
NO_WAIVERS = Waivers()


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
    settle: tuple[Settlement, ...] = Field(description="what would settle a HOLD, and its cost")
    not_asked: tuple[str, ...] = Field(description="gates that do not apply to this change class")
    waivers: tuple[Waiver, ...] = Field(default=(), description="those that the decision rests on")
    refused_waivers: tuple[str, ...] = Field(default=(), description="and why they were not used")
    judged_at: Moment | None = Field(
        default=None, description="when waivers were asked; None: there was none"
    )
    change_class: ChangeClass
    model_class: ModelClass
    policy: str
    policy_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    margin: str = Field(description="accuracy margin judged at, as `a suite may lose 5 points`")
    evidence_sha256: str = Field(description="of the sorted digests of all records")
    cells: tuple[CellStanding, ...] = Field(description="where the variant wins and where it loses")
    envelope: tuple[EnvelopeRow, ...] = Field(description="performance gates, cell by cell")


class _Ruling(Result):
    outcome: DecisionOutcome
    gate: str | None
    reason: str


def decide(
    study: Study, policy: Policy, evidence: Evidence, waivers: Waivers = NO_WAIVERS
) -> Decision:
    """Judge every gate that applies, and decide."""
    asked = asked_gates(policy, evidence)
    judged = [judge_gate(gate, evidence, study, policy) for gate in asked]
    failed = _first_fail(asked, judged)
    stopped_at = stage_of(failed) if failed else None
    if stopped_at:
        judged = [
            _as_stopped(gate, verdict, evidence, stopped_at)
            for gate, verdict in zip(asked, judged, strict=True)
        ]
    waived = apply_waivers(_with_holm(judged), waivers, evidence.variant, policy_sha256(policy))
    verdicts = waived.verdicts
    ruling = _rule(policy, verdicts, objections(study, policy, evidence))
    return Decision(
        study=evidence.study,
        run=evidence.run,
        variant=evidence.variant,
        outcome=ruling.outcome,
        deciding_gate=ruling.gate,
        reason=ruling.reason,
        stopped_at=stopped_at,
        verdicts=verdicts,
        gains=objective_gain(study, policy, evidence),
        settle=_settle(study, evidence, verdicts, ruling),
        not_asked=tuple(gate.id for gate in policy.gates if gate not in asked),
        waivers=waived.used,
        refused_waivers=waived.refused,
        judged_at=waivers.at.isoformat() if waivers.given else None,
        change_class=evidence.change_class,
        model_class=evidence.model_class,
        policy=policy.name,
        policy_sha256=policy_sha256(policy),
        margin=margin_text(asked, evidence),
        evidence_sha256=_digest(evidence),
        cells=standings(verdicts),
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


def margin_text(gates: Sequence[Gate], evidence: Evidence) -> str:
    """Say the accuracy margins judged at, as "a suite may lose 1 or 5 points"."""
    margins = sorted(
        {
            gate.margin_for(evidence.change_class, evidence.model_class)
            for gate in gates
            if isinstance(gate, PairedAccuracyGate)
        }
    )
    if not margins:
        return "no accuracy margin"
    *most, last = (f"{100 * margin:g}" for margin in margins)
    said = f"{', '.join(most)} or {last}" if most else last
    return f"a suite may lose {said} points"


def _digest(evidence: Evidence) -> str:
    return sha256_text("\n".join(sorted(record_sha256(record) for record in evidence.records)))


def _with_holm(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Adjust the p of harm over the variant's suites: it names failures, it passes nothing."""
    adjusted = holm({v.gate: v.mcnemar_p for v in verdicts if v.mcnemar_p is not None})
    return [
        verdict.model_copy(update={"holm_p": adjusted.get(verdict.gate)}) for verdict in verdicts
    ]


def _first_fail(gates: Sequence[Gate], verdicts: Sequence[Verdict]) -> Gate | None:
    for gate, verdict in zip(gates, verdicts, strict=True):
        if is_blocking(gate) and verdict.outcome == "FAIL":
            return gate
    return None


def _as_stopped(gate: Gate, verdict: Verdict, evidence: Evidence, stage: str) -> Verdict:
    if verdict.outcome != "INCONCLUSIVE" or is_measured(gate, evidence):
        return verdict
    return inconclusive(gate, spared_words(stage))


def spared_words(stage: str) -> str:
    """Say that a stop spared a gate; what it needs was not measured."""
    return f"not measured: stopped at {stage}"


def _rule(policy: Policy, verdicts: Sequence[Verdict], faults: Sequence[str]) -> _Ruling:
    blocking = [verdict for verdict in verdicts if verdict.tier != "advisory"]
    failed = next((verdict for verdict in blocking if verdict.outcome == "FAIL"), None)
    if failed:
        return _Ruling(outcome="REJECT", gate=failed.gate, reason=failed.reason)
    if faults:
        return _Ruling(outcome="HOLD", gate=None, reason="; ".join(faults))
    if not blocking:
        return _Ruling(outcome="HOLD", gate=None, reason="no critical or required gate was asked")
    open_ = next((verdict for verdict in blocking if _is_open(verdict)), None)
    if open_:
        return _Ruling(outcome="HOLD", gate=open_.gate, reason=open_.reason)
    return _rule_on_benefit(policy, blocking)


def _is_open(verdict: Verdict) -> bool:
    is_blocking = verdict.tier != "advisory" and verdict.waived_by is None
    return is_blocking and verdict.outcome != "PASS"


def _rule_on_benefit(policy: Policy, blocking: Sequence[Verdict]) -> _Ruling:
    benefits = [verdict for verdict in blocking if verdict.kind == "benefit"]
    if not benefits:
        asked = (
            "was not asked of this class" if asks_benefit(policy) else "is missing in the policy"
        )
        reason = f"a blocking benefit gate {asked}, and nothing is promoted without a benefit"
        return _Ruling(outcome="HOLD", gate=None, reason=reason)
    waived = [f"{v.gate} waived by {v.waived_by}" for v in blocking if v.waived_by]
    said = f" ({', '.join(waived)})" if waived else ""
    num_passed = len(blocking) - len(waived)
    reason = f"all {num_passed} critical and required gates passed{said}; {benefits[0].reason}"
    return _Ruling(outcome="PROMOTE", gate=benefits[0].gate, reason=reason)


def _settle(
    study: Study, evidence: Evidence, verdicts: Sequence[Verdict], ruling: _Ruling
) -> tuple[Settlement, ...]:
    if ruling.outcome != "HOLD":
        return ()
    lines = settlements(study, evidence, [verdict for verdict in verdicts if _is_open(verdict)])
    return lines if ruling.gate else (Settlement(gate=None, text=ruling.reason), *lines)
