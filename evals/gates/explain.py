"""Say a policy in plain words: what a variant must show, and the n that takes."""

from collections.abc import Callable
from typing import Any

from evals.gates.kinds import (
    AttainmentGate,
    BenefitGate,
    CellChoice,
    CheckGate,
    FidelityGate,
    Gate,
    NoWorseGate,
    PairedAccuracyGate,
)
from evals.gates.policy import Policy, asks_benefit, policy_sha256
from evals.gates.wording import points, relative
from evals.statistics import exact_interval, required_items

# Share of items whose correctness changes: research/evaluation.md section 3.2.
DISCORDANCES = {"lossless": 0.028, "8-bit": 0.09, "4-bit": 0.13}


def explain(policy: Policy) -> str:
    """Return one paragraph on the policy and one per gate."""
    lines = [
        f"{policy.name}: {policy.description}",
        f"sha256 {policy_sha256(policy)}",
        f"Every bound is one-sided at {relative(policy.confidence)}. A variant is promoted when "
        "every critical and required gate passes; one FAIL rejects it; all else is a HOLD.",
    ]
    if not asks_benefit(policy):
        lines.append("It asks for no benefit, so nothing is ever promoted under it.")
    return "\n\n".join([*lines, *(explain_gate(gate, policy) for gate in policy.gates)])


def explain_gate(gate: Gate, policy: Policy) -> str:
    """Return one gate in words."""
    classes = "" if len(gate.applies_to) == 3 else f", {' and '.join(gate.applies_to)} only"
    return f"{gate.id} ({gate.tier}{classes}): {WORDS[gate.kind](gate, policy)}"


def _check(gate: CheckGate, policy: Policy) -> str:
    return f"every check of stage {gate.stage} passed; none taken, or one that failed, is no pass."


def _fidelity(gate: FidelityGate, policy: Policy) -> str:
    rows = [
        f"{limit.change_class}, {limit.model_class or 'any size'}: mean KL <= "
        f"{limit.mean_kl:g} nats, "
        f"top-1 >= {relative(limit.top1_agreement)}, perplexity ratio <= {limit.perplexity_ratio:g}"
        for limit in gate.limits
        if limit.change_class in gate.applies_to
    ]
    return "a screen that stops and never promotes: " + "; ".join(rows) + "."


def _paired_accuracy(gate: PairedAccuracyGate, policy: Policy) -> str:
    needed = ", ".join(
        f"{name} about {required_items(gate.margin, share, policy.confidence)}"
        for name, share in DISCORDANCES.items()
    )
    return (
        f"of {gate.suite}, at most {points(gate.margin)} may be lost (upper bound), on at least "
        f"{gate.min_items} items issued to both arms; asked only where the baseline is more than "
        f"{points(gate.min_above_chance)} above chance. Items for power 80 % without damage: "
        f"{needed}."
    )


def _no_worse(gate: NoWorseGate, policy: Policy) -> str:
    return (
        f"{gate.metric} ({gate.direction} is better) at most {relative(gate.margin)} worse (upper "
        f"bound) in {_cells(gate.cells)}, over at least {gate.min_repeats} pairs of valid repeats."
    )


def _attainment(gate: AttainmentGate, policy: Policy) -> str:
    least = 1
    while exact_interval(least, least, policy.confidence).lower < 0.9:
        least += 1
    return (
        "the share of requests inside the SLO reaches the study's slo.attainment (lower bound) in "
        f"{_cells(gate.cells)}, over at least {gate.min_repeats} valid repeats; 90 % takes at "
        f"least {least} requests, all good. A cell that the baseline misses is not held against "
        "the variant."
    )


def _benefit(gate: BenefitGate, policy: Policy) -> str:
    options = "; ".join(
        option.metric
        if option.metric == "weight_bytes"
        else f"{option.metric} in {_cells(option.cells)}"
        for option in gate.any_of
    )
    return (
        "at least one of these is better by the study's min_gain (lower bound, alpha shared among "
        f"them): {options}. An identical copy never passes."
    )


def _cells(choice: CellChoice) -> str:
    return f"{choice} cells" if isinstance(choice, str) else f"cells {', '.join(choice)}"


WORDS: dict[str, Callable[[Any, Policy], str]] = {
    "check": _check,
    "fidelity": _fidelity,
    "paired_accuracy": _paired_accuracy,
    "no_worse": _no_worse,
    "attainment": _attainment,
    "benefit": _benefit,
}
