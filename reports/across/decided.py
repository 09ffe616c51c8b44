"""What was decided on both sides: decisions, then every gate's verdict, changes marked."""

from collections.abc import Iterator

from evals.gates.decision import Decision
from evals.gates.verdict import Verdict
from reports.across.sides import Pair, Sides
from reports.blocks import Block, Column, Missing, Table, Value
from reports.content import Part
from reports.view import VariantView
from reports.words.numbers import NOT_ASKED, SCALED, TONES, gain, interval, measure

SAME = Value("same", tone="muted")
NOT_JUDGED = Value("not judged", tone="muted")


def decisions_part(sides: Sides) -> Part:
    """Put the decisions side by side."""
    table = Table(
        caption=f"A is {sides.a.label}, B is {sides.b.label}. Each gain is against the baseline of "
        "its own run, with 95 % bounds each side.",
        columns=(
            *map(Column, ("Variant", "A", "B")),
            Column("Change", "number"),  # kept on one line
            Column("Gain in A", "number"),
            Column("Gain in B", "number"),
        ),
        rows=tuple(_row(pair) for pair in sides.pairs),
    )
    return Part("side-decisions", "Decisions side by side", (table,))


def verdicts_part(sides: Sides) -> Part:
    """Put the verdicts of every gate side by side, one table per variant."""
    both = [
        (pair, pair.a.decision, pair.b.decision)
        for pair in sides.pairs
        if pair.a and pair.b and pair.a.decision and pair.b.decision
    ]
    blocks: tuple[Block, ...] = tuple(_verdicts(pair.name, a, b) for pair, a, b in both)
    nothing = Missing("No variant was judged on both sides: no verdict can be put beside another.")
    return Part("side-gates", "Gates side by side", blocks or (nothing,))


def num_changed(sides: Sides) -> int:
    """Count the variants whose decisions differ, or that were judged on one side only."""
    return sum(_outcome(pair.a) != _outcome(pair.b) for pair in sides.pairs)


def _outcome(variant: VariantView | None) -> str | None:
    return variant.decision.outcome if variant and variant.decision else None


def _row(pair: Pair) -> tuple[Value, ...]:
    return (
        Value(pair.name),
        _decision(pair.a),
        _decision(pair.b),
        _change(_outcome(pair.a), _outcome(pair.b)),
        _gain(pair.a),
        _gain(pair.b),
    )


def _decision(variant: VariantView | None) -> Value:
    if variant is None:
        return Value("not in this run", tone="muted")
    decision = variant.decision
    if decision is None:
        return NOT_JUDGED
    return Value(
        decision.outcome, note=decision.reason, tone=TONES[decision.outcome], is_badge=True
    )


def _gain(variant: VariantView | None) -> Value:
    decision = variant.decision if variant else None
    return gain(decision.gains[0] if decision and decision.gains else None)


def _change(a: str | None, b: str | None) -> Value:
    """Mark what changed; better or worse is for the reader, who knows what was changed."""
    if a == b:
        return SAME
    if a is None or b is None:
        return Value("only in B" if a is None else "only in A", tone="hold")
    return Value("changed", exact=f"{a} in A, {b} in B", tone="hold")


def _verdicts(name: str, a: Decision, b: Decision) -> Table:
    return Table(
        caption=f"{name}: every gate of either side. Estimates are damage against the baseline; "
        "for a benefit the gain, for attainment the share. Bounds are of 95 % each side.",
        columns=(
            *map(Column, ("Gate", "A", "B")),
            Column("Change", "number"),
            Column("Estimate in A", "number"),
            Column("Estimate in B", "number"),
        ),
        rows=tuple(_verdict_rows(a, b)),
    )


def _verdict_rows(a: Decision, b: Decision) -> Iterator[tuple[Value, ...]]:
    in_a, in_b = ({v.gate: v for v in decision.verdicts} for decision in (a, b))
    for gate in dict.fromkeys([*in_a, *in_b]):
        one, other = in_a.get(gate), in_b.get(gate)
        yield (
            Value(gate, note=(one or other or in_b[gate]).tier),
            _badge(one),
            _badge(other),
            _change(one.outcome if one else None, other.outcome if other else None),
            _estimate(one),
            _estimate(other),
        )


def _badge(verdict: Verdict | None) -> Value:
    if verdict is None:
        return Value("not asked", tone="muted")
    return Value(verdict.outcome, note=verdict.reason, tone=TONES[verdict.outcome], is_badge=True)


def _estimate(verdict: Verdict | None) -> Value:
    if verdict is None or verdict.estimate is None:
        return NOT_ASKED
    n = "" if verdict.n is None else f"n\u00a0=\u00a0{verdict.n:,}"
    if verdict.lower is None and verdict.upper is None:
        plain = measure(verdict.estimate, verdict.unit)
        return Value(plain.text, exact=plain.exact, note=n)
    factor, unit = SCALED.get(verdict.unit or "", (1.0, verdict.unit or ""))
    low, high = (None if end is None else end * factor for end in (verdict.lower, verdict.upper))
    found = interval(verdict.estimate * factor, low, high, unit)
    return Value(found.text, exact=found.exact, note=", ".join(filter(None, (found.note, n))))
