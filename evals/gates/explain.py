"""Say a policy in plain words: what a variant must show, and the n that takes."""

from collections.abc import Callable
from typing import Any

from evals.gates.kinds import (
    AccuracyGate,
    AttainmentGate,
    BenefitGate,
    CanaryGate,
    CellChoice,
    CheckGate,
    CliffGate,
    FidelityGate,
    Gate,
    LimitGate,
    NoWorseGate,
    PairedAccuracyGate,
    PairedOddsGate,
    PooledAccuracyGate,
)
from evals.gates.kinds.base import MODEL_CLASSES
from evals.gates.policy import Policy, asks_benefit, policy_sha256
from evals.gates.wording import points, relative
from evals.statistics import exact_interval, required_items
from variants.specs.ladder import ChangeClass

# Share of items whose correctness changes: research/evaluation.md section 3.2. That of an adapter
# is its own affair: the largest of the table is assumed.
DISCORDANCES: dict[ChangeClass, float] = {
    "lossless": 0.028,
    "8-bit": 0.09,
    "4-bit": 0.13,
    "adapter": 0.13,
}


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
    classes = "" if is_usual(gate) else f", {' and '.join(gate.applies_to)} only"
    return f"{gate.id} ({gate.tier}{classes}): {WORDS[gate.kind](gate, policy)}"


def is_usual(gate: Gate) -> bool:
    """Whether a gate is asked of every class that gates of its kind are asked of."""
    return set(gate.applies_to) == set(type(gate).model_fields["applies_to"].default)


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
        f"{change} about "
        f"{required_items(gate.margin_for(change, 'up to 3B'), share, policy.confidence)}"
        for change, share in DISCORDANCES.items()
        if change in gate.applies_to
    )
    null = gate.max_null_flips
    flips = f" At most {relative(null)} of items may flip in the null arm." if null else ""
    early = ", ".join(relative(look) for look in gate.looks[:-1])
    looks = f" It may also be judged at {early} of the items, by a wider bound." if early else ""
    return (
        f"of {gate.suite}, at most {_margins(gate)} may be lost (upper bound), on at least "
        f"{gate.min_items} items issued to both arms; asked only where the baseline is more than "
        f"{points(gate.min_above_chance)} above chance. Items for power 80 % without damage: "
        f"{needed}.{flips}{looks}"
    )


def _pooled_accuracy(gate: PooledAccuracyGate, policy: Policy) -> str:
    return (
        f"over all suites at most {_margins(gate)} may be lost on average (upper bound), so that "
        "small losses do not add up unseen."
    )


def _cliff(gate: CliffGate, policy: Policy) -> str:
    return (
        f"at every level of {gate.suite}, at most {_margins(gate)} may be lost (upper bound), on "
        f"at least {gate.min_per_level} items a level, each issued to both arms; asked at the "
        f"levels where the baseline is more than {points(gate.min_above_chance)} above chance. A "
        "FAIL needs a lower bound that holds for all levels together."
    )


def _paired_odds(gate: PairedOddsGate, policy: Policy) -> str:
    return (
        f"of {gate.suite}, the log-odds of the right option may lose at most "
        f"{gate.max_loss_nats:g} nats per token on average (upper bound), on at least "
        f"{gate.min_items} items issued to both arms."
    )


def _canaries(gate: CanaryGate, policy: Policy) -> str:
    return (
        f"of {gate.suite}, not one of at least {gate.min_items} items may fail that the baseline "
        "has right."
    )


def _margins(gate: AccuracyGate) -> str:
    """Say one margin, or one per class: "1 points (lossless), 1.5 points (8-bit)"."""
    found = {
        change: dict.fromkeys(points(gate.margin_for(change, model)) for model in MODEL_CLASSES)
        for change in gate.applies_to
    }
    if len({said for margins in found.values() for said in margins}) == 1:
        return next(iter(found[gate.applies_to[0]]))
    return ", ".join(f"{' or '.join(margins)} ({change})" for change, margins in found.items())


def _no_worse(gate: NoWorseGate, policy: Policy) -> str:
    if isinstance(gate.margin, dict):
        most = ", ".join(f"{relative(share)} ({name})" for name, share in gate.margin.items())
    else:
        most = relative(gate.margin)
    own = "".join(f", {relative(share)} in {cell}" for cell, share in gate.cell_margins.items())
    return (
        f"{gate.metric} ({gate.direction} is better) at most {most}{own} worse (upper bound) in "
        f"{_cells(gate.cells)}, over at least {gate.min_repeats} pairs of valid repeats."
    )


def _limit(gate: LimitGate, policy: Policy) -> str:
    word = "at most" if gate.direction == "lower" else "at least"
    return f"{gate.metric} is {word} {gate.limit:g} {gate.unit}, whatever the baseline's is."


def _attainment(gate: AttainmentGate, policy: Policy) -> str:
    least = 1
    while exact_interval(least, least, policy.confidence).lower < 0.9:
        least += 1
    return (
        "the share of requests inside the SLO reaches the study's slo.attainment (lower bound) in "
        f"{_cells(gate.cells)}, over at least {gate.min_repeats} valid repeats; 90 % takes at "
        f"least {least} independent requests, all good, or fewer that lie far inside it. A cell "
        "that the baseline misses is not held against the variant."
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
    "pooled_accuracy": _pooled_accuracy,
    "cliff": _cliff,
    "paired_odds": _paired_odds,
    "canaries": _canaries,
    "no_worse": _no_worse,
    "limit": _limit,
    "attainment": _attainment,
    "benefit": _benefit,
}
