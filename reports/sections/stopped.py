"""Variants that were not promoted: where each was stopped, why, and what to do about it."""

from evals.gates.decision import Decision
from evals.results import Check
from reports.blocks import Block, Column, Missing, Section, Table, Value, Verbatim
from reports.sections.decisions import in_order, to_settle
from reports.view import VariantView, View
from reports.words.numbers import NOT_ASKED, TONES
from reports.words.reasons import deciding, plain_reason

# Kind of the gate that rejected -> what to do. More evidence changes none of these.
REMEDIES = {
    "check": "Mend what its own words below name, or leave it out of studies on this target.",
    "fidelity": "Change less: more bits, smaller groups, more layers left as they are.",
    "no_worse": "Use it only for loads it is qualified for (Operating envelope), or tune it.",
    "attainment": "Send it less load, or give it a faster device.",
    "limit": "Give it more room, or raise the limit in the policy on purpose.",
    "benefit": "Keep the baseline: this one costs its trouble and gains too little here.",
}
WORSE_ANSWERS = "Change less (more bits, better calibration); more items would not change this."


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    stopped = [one for one in in_order(view) if not _is_promoted(one)]
    if not stopped:
        return (Missing("No variant was refused or stopped: every one that was tried passed."),)
    words = (block for variant in stopped for block in _words(variant))
    return (_table(stopped, view), *words)


def _is_promoted(variant: VariantView) -> bool:
    return variant.decision is not None and variant.decision.outcome == "PROMOTE"


def _table(stopped: list[VariantView], view: View) -> Table:
    heads = ("Variant", "Decision", "Stopped at", "Reason", "What to do")
    return Table(
        caption="Every variant that did not pass. A stage that stops a variant spares it the "
        "costlier ones after it, so what comes later was not measured.",
        columns=tuple(map(Column, heads)),
        rows=tuple(_row(variant, view) for variant in stopped),
    )


def _row(variant: VariantView, view: View) -> tuple[Value, ...]:
    name, decision = Value(variant.name, colour=variant.colour), variant.decision
    if decision is None:
        resume = Value("Resume the run: what was measured is kept.")
        ended = Value("The run ended before it was judged.", tone="muted")
        return (name, Value("NOT JUDGED", is_badge=True, tone="muted"), NOT_ASKED, ended, resume)
    gate = decision.deciding_gate
    return (
        name,
        Value(decision.outcome, is_badge=True, tone=TONES[decision.outcome]),
        Value(decision.stopped_at or "not stopped", note=f"gate: {gate}" if gate else ""),
        Value(plain_reason(decision, view.told.study), exact=decision.reason),
        _what_to_do(decision),
    )


def _what_to_do(decision: Decision) -> Value:
    if decision.settle:
        return to_settle(decision.settle)
    verdict = deciding(decision)
    return Value(REMEDIES.get(verdict.kind, WORSE_ANSWERS) if verdict else "See the reason.")


def _words(variant: VariantView) -> tuple[Block, ...]:
    """Say in their own words what looks failed, and which could not be taken; each once."""
    decision = variant.decision
    looks = [one for one in variant.payloads(Check) if one.passed is not True]
    told = {f"{variant.name}, {_label(look)}": look.reason for look in looks}
    if decision is not None and not told:
        told = {f"{variant.name}, the gate's own words": decision.reason}
    return tuple(Verbatim(label, text) for label, text in told.items())


def _label(look: Check) -> str:
    seen = "failed" if look.passed is False else "could not be looked at"
    return f"{look.stage}: {look.name} {seen}"


SECTION = Section("stopped", "Refused and failed", build)
