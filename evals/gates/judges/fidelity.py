"""Fidelity: a screen on the distance from the baseline; it stops a variant, never promotes one.

Where a policy says so, the limit gives way to the null arm (the baseline against itself, computed
in fp32): KL at least a multiple of the null's, top-1 at most the null's share less a slack.
Elsewhere a null arm beyond the limit means that the screen cannot tell, and nothing passes.

Example: lossless, null KL 3e-4: the limit is max(5e-4, 3 x 3e-4) = 9e-4 nats.
"""

from evals.gates.kinds import FidelityGate, FidelityLimit
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Outcome, Row, Verdict, verdict_of, worst_of
from evals.results import Evidence, Fidelity
from evals.study import Study
from variants.errors import MeasurementError


def judge(gate: FidelityGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Compare KL, top-1 agreement and perplexity with the limits of the class.

    Raises:
        MeasurementError: no or several measurements, no positions, or no limits for the class.
    """
    fidelity = _only(evidence)
    limit = gate.limit_for(evidence.change_class, evidence.model_class)
    if limit is None:
        raise MeasurementError(f"no limits for {evidence.change_class}, {evidence.model_class}")
    rows = [
        _finite(fidelity),
        _kl(fidelity, limit),
        _top1(fidelity, limit),
        _perplexity(fidelity, limit),
    ]
    worst = worst_of(rows)
    shown = rows[1] if worst.outcome == "PASS" else worst
    units = {"mean_kl": "nats", "nonfinite": "logits"}
    measure = Measure(shown.label, units.get(shown.label, "ratio"), None)
    return verdict_of(gate, measure, shown, _reason(fidelity, worst), rows)


def _measured(evidence: Evidence) -> list[Fidelity]:
    return [item.payload for item in evidence.records if isinstance(item.payload, Fidelity)]


def _only(evidence: Evidence) -> Fidelity:
    found = _measured(evidence)
    if len(found) != 1:
        raise MeasurementError(f"{len(found)} fidelity measurements, exactly 1 is needed")
    if found[0].num_positions < 1 or found[0].perplexity_ratio <= 0:
        raise MeasurementError(
            f"fidelity over {found[0].num_positions} positions with perplexity ratio "
            f"{found[0].perplexity_ratio} is no measurement"
        )
    return found[0]


def _finite(fidelity: Fidelity) -> Row:
    count = fidelity.num_nonfinite
    outcome: Outcome = "PASS" if count == 0 else "FAIL"
    return Row(
        label="nonfinite", estimate=count, margin=0, n=fidelity.num_positions, outcome=outcome
    )


def _kl(fidelity: Fidelity, limit: FidelityLimit) -> Row:
    null, allowed = fidelity.null_mean_kl, limit.mean_kl
    if limit.null_kl_multiple is not None:
        allowed = max(allowed, limit.null_kl_multiple * null)
    return Row(
        label="mean_kl",
        estimate=fidelity.mean_kl,
        margin=allowed,
        n=fidelity.num_positions,
        outcome=_outcome(fidelity.mean_kl <= allowed, can_tell=null <= allowed),
        note=f"null arm {null:.2g}",
    )


def _top1(fidelity: Fidelity, limit: FidelityLimit) -> Row:
    null, asked = fidelity.null_top1_agreement, limit.top1_agreement
    if limit.null_top1_slack is not None:
        asked = min(asked, null - limit.null_top1_slack)
    return Row(
        label="top1_agreement",
        estimate=fidelity.top1_agreement,
        margin=asked,
        n=fidelity.num_positions,
        outcome=_outcome(fidelity.top1_agreement >= asked, can_tell=null >= asked),
        note=f"null arm {null:.4f}",
    )


def _perplexity(fidelity: Fidelity, limit: FidelityLimit) -> Row:
    ratio, most = fidelity.perplexity_ratio, limit.perplexity_ratio
    is_inside = ratio <= most and not (limit.is_two_sided and ratio < 2 - most)
    return Row(
        label="perplexity_ratio",
        estimate=ratio,
        margin=most,
        n=fidelity.num_positions,
        outcome=_outcome(is_inside, can_tell=True),
        note="variant / baseline",
    )


def _outcome(is_inside: bool, can_tell: bool) -> Outcome:
    if not can_tell:
        return "INCONCLUSIVE"
    return "PASS" if is_inside else "FAIL"


def _reason(fidelity: Fidelity, worst: Row) -> str:
    where = f"over {fidelity.num_positions} positions"
    if worst.outcome == "PASS":
        return (
            f"not stopped: mean KL {fidelity.mean_kl:.4g} nats, top-1 "
            f"{fidelity.top1_agreement:.2%}, perplexity ratio {fidelity.perplexity_ratio:.4g} "
            f"{where}"
        )
    if worst.outcome == "INCONCLUSIVE":
        return (
            f"{worst.label}: the {worst.note} is itself beyond the limit {worst.margin:.4g} {where}"
        )
    return f"{worst.label} is {worst.estimate:.4g}, the limit is {worst.margin:.4g} {where}"
