"""The decision per variant, with the one reason that decided it: what to read in two minutes."""

from collections.abc import Sequence

from evals.gates.champion import lower_bounds, ranked
from evals.gates.settling import Settlement
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.figures.quality_kept import kept_of, kept_value
from reports.view import VariantView, View
from reports.words.numbers import NOT_ASKED, NOT_MEASURED, TONES, gain, signed
from reports.words.plain_words import objective_words
from reports.words.policy_used import risk_words
from reports.words.reasons import plain_reason

SHOWN = 2  # lines of what would settle a HOLD, so that the table stays one screen
BEST_FIRST = ("PROMOTE", "HOLD", "REJECT")


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    if not view.variants:
        return (Missing("No variant was tried: the study holds the baseline alone."),)
    is_open = any(decision.settle for decision in view.told.decisions)
    heads = ("Variant", "Decision", "Reason", "Gain", "Accuracy", *(["To settle"] * is_open))
    table = Table(
        caption=f"Gain: {objective_words(view.told.study)}; accuracy: points kept, a mean over "
        "suites. Both against the baseline, above 0 is better, [bounds] of 95 % each side, over n "
        "paired repeats or items. Champion: of those that passed, the one whose gain has the "
        f"highest lower bound. Judged by the {view.policy}.",
        columns=tuple(map(Column, heads)),
        rows=tuple(_row(variant, view)[: len(heads)] for variant in in_order(view)),
    )
    return (table, Prose(_sureness(view)), *_promotion(view), *map(Prose, _waivers(view)))


def in_order(view: View) -> list[VariantView]:
    """Put the champion first, then who passed by gain, who is on hold, and who is rejected."""
    promotion = view.told.promotion
    best = ranked(view.told.decisions, view.told.study.objective)
    chosen = [promotion.variant] if promotion else []
    order = {name: at for at, name in enumerate(dict.fromkeys([*chosen, *best]))}

    def rank(variant: VariantView) -> tuple[int, int]:
        outcome = variant.decision.outcome if variant.decision else None
        group = BEST_FIRST.index(outcome) if outcome else len(BEST_FIRST)
        return group, order.get(variant.name, len(order))

    return sorted(view.variants, key=rank)


def _row(variant: VariantView, view: View) -> tuple[Value, ...]:
    decision = variant.decision
    name = Value(
        variant.name, colour=variant.colour, note=dict(view.told.changes).get(variant.name, "")
    )
    if decision is None:
        reason = Value("The run ended before this variant was judged.", tone="muted")
        return (
            name,
            Value("NOT JUDGED", is_badge=True, tone="muted"),
            reason,
            NOT_MEASURED,
            NOT_MEASURED,
            NOT_ASKED,
        )
    gate = f"gate: {decision.deciding_gate}" if decision.deciding_gate else ""
    return (
        name,
        Value(
            decision.outcome,
            note=_standing(variant, view),
            is_badge=True,
            tone=TONES[decision.outcome],
        ),
        Value(plain_reason(decision, view.told.study), exact=decision.reason, note=gate),
        gain(decision.gains[0] if decision.gains else None),
        kept_value(kept_of(decision)),
        to_settle(decision.settle),
    )


def _standing(variant: VariantView, view: View) -> str:
    """Tell the champion from others that passed too."""
    promotion = view.told.promotion
    is_passed = variant.decision is not None and variant.decision.outcome == "PROMOTE"
    if promotion is None or not is_passed:
        return ""
    if promotion.variant == variant.name:
        return "champion"
    bounds = lower_bounds(view.told.decisions, view.told.study.objective)
    own, best = bounds.get(variant.name), bounds.get(promotion.variant)
    if own is None:
        return "passed; its gain in speed may be chance"
    if best is None:
        return "passed, not the champion"
    return f"passed; sure of {signed(100 * own, 1)} %, the champion of {signed(100 * best, 1)} %"


def to_settle(settlements: tuple[Settlement, ...]) -> Value:
    """Show what comes first and what all of it costs; the gates below hold every line."""
    if not settlements:
        return _SETTLED
    gates: dict[str, list[str]] = {}
    for item in settlements:
        gates.setdefault(item.text, []).extend(filter(None, (item.gate,)))
    lines = [f"{', '.join(names)}: {text}" if names else text for text, names in gates.items()]
    num_more = len(lines) - SHOWN
    more = [f"and {num_more} more, in Gates below"] if num_more > 0 else []
    note = "; ".join([*more, *_cost(settlements)])
    return Value("; ".join(lines[:SHOWN]), exact="; ".join(lines), note=note)


def _cost(settlements: Sequence[Settlement]) -> list[str]:
    """Add up the device minutes of all lines, where one line does not say it all."""
    known = [one.device_minutes for one in settlements if one.device_minutes is not None]
    return [f"about {sum(known):.1f} device minutes in all"] if len(known) > 1 else []


def _sureness(view: View) -> str:
    """Say what can have gone wrong by chance, as `evals.gates.decision` bounds it."""
    return (
        "How sure: a variant is promoted only if it passes every critical and required gate. If it "
        "is in truth worse than one gate on speed or accuracy allows, chance lets it pass that "
        f"gate, and so be promoted, {risk_words(view)}. Stages before speed compare with fixed "
        "limits: how often chance errs there is not known. HOLD is neither yes nor no: the "
        "evidence is too thin."
    )


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
    did = {
        "move": f"was moved to {promotion.variant}",
        "confirm": f"was confirmed at {promotion.variant}",
        "undo": f"was moved back to {promotion.variant}",
        "force": f"was moved to {promotion.variant} by hand, past the gates",
        "rollback": f"stands where it stood: {promotion.variant} was put in and taken out again",
    }
    by_hand = Table(
        "Moved by hand: no gate vouches for it.",
        (Column("What"), Column("Who, and why")),
        ((Value("FORCED", is_badge=True, tone="fail"), Value(promotion.reason)),),
    )
    return (
        *([by_hand] if promotion.action == "force" else []),
        Prose(
            f"Channel {promotion.channel} {did[promotion.action]} ({promotion.fingerprint}) at "
            f"{promotion.at}: {promotion.reason.rstrip('.')}. Before a channel moves, its champion "
            "is served anew and its gain measured on fresh repeats, since the best of several owes "
            "part of its gain to luck; that gain has to be beyond noise."
        ),
    )


_SETTLED = Value("nothing, it is decided", tone="muted")
SECTION = Section("decisions", "Decisions", build)
