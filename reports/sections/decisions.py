"""The decision per variant, with the one reason that decided it."""

from evals.gates.settling import Settlement
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.numbers import NOT_ASKED, NOT_MEASURED, TONES, gain
from reports.view import VariantView, View

SHOWN = 2  # lines of what would settle a HOLD, so that the table stays one screen


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    if not view.variants:
        return (Missing("No variant was tried: the study holds the baseline alone."),)
    objective = view.told.study.objective
    table = Table(
        caption=f"Judged at {view.policy}. Gain: {objective.metric} in cell {objective.cell} "
        "against the baseline, positive is better, with one-sided 95 % bounds over paired repeats.",
        columns=tuple(map(Column, ("Variant", "Decision", "Reason", "Gain", "To settle"))),
        rows=tuple(_row(variant, view) for variant in view.variants),
    )
    notes = (view.told.base.note,) if view.told.base.note else ()
    return (table, *map(Prose, (*notes, *_waivers(view))), *_promotion(view))


def _row(variant: VariantView, view: View) -> tuple[Value, ...]:
    decision = variant.decision
    name = Value(variant.name, colour=variant.colour)
    if decision is None:
        reason = Value("The run ended before this variant was judged.", tone="muted")
        return (
            name,
            Value("NOT JUDGED", is_badge=True, tone="muted"),
            reason,
            NOT_MEASURED,
            NOT_ASKED,
        )
    gate = f"gate: {decision.deciding_gate}" if decision.deciding_gate else ""
    return (
        name,
        Value(decision.outcome, is_badge=True, tone=TONES[decision.outcome]),
        Value(decision.reason, note=gate),
        gain(decision.gains[0] if decision.gains else None),
        _settle(decision.settle),
    )


def _settle(settlements: tuple[Settlement, ...]) -> Value:
    """Show what comes first; the gates below hold every line."""
    if not settlements:
        return _SETTLED
    lines = [f"{item.gate}: {item.text}" if item.gate else item.text for item in settlements]
    num_more = len(lines) - SHOWN
    more = f"and {num_more} more, in Gates below" if num_more > 0 else ""
    return Value("; ".join(lines[:SHOWN]), exact="; ".join(lines), note=more)


def _waivers(view: View) -> list[str]:
    """Say who answers for which gate, and which waivers were of no use."""
    lines: list[str] = []
    for decision in view.told.decisions:
        lines += [
            f"{decision.variant}: {one.gate} is waived by {one.who} until "
            f"{one.expires_at}: {one.why}"
            for one in decision.waivers
        ]
        lines += [f"{decision.variant}: {why}" for why in decision.refused_waivers]
    return lines


def _promotion(view: View) -> tuple[Block, ...]:
    promotion = view.told.promotion
    if promotion is None:
        return (Prose("No channel was moved in this run."),)
    verb = {"move": "moved to", "confirm": "confirmed at", "rollback": "rolled back to"}
    return (
        Prose(
            f"Channel {promotion.channel} was {verb[promotion.action]} {promotion.variant} "
            f"({promotion.fingerprint}) at {promotion.at}: {promotion.reason}"
        ),
    )


_SETTLED = Value("settled", tone="muted")
SECTION = Section("decisions", "Decisions", build)
