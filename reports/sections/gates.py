"""Every gate of every variant: n, estimate, bound, margin, verdict."""

from evals.gates.decision import spared_words
from evals.gates.verdict import Verdict
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.view import VariantView, View
from reports.words.numbers import NOT_ASKED, SCALED, TONES, interval, measure

STAGES = (
    "Stages, cheap first. Plan: can it run here. Build: can it be made. Audit: are its files what "
    "their label says. Fidelity: does it predict like the baseline. Identity: does the engine "
    "compute what the files hold. Coherence: is what it writes language. Pace: is it fast enough "
    "to be measured. Then speed, benefit and answers."
)
COLUMNS = (
    Column("Gate"),
    Column("Verdict"),
    Column("n", "number"),
    Column("Estimate and bounds", "number"),
    Column("Margin", "number"),
    Column("Reason"),
)


def build(view: View) -> tuple[Block, ...]:
    """Fill the section with one table per judged variant."""
    judged = [variant for variant in view.variants if variant.decision]
    if not judged:
        return (Missing("No gate was asked: no variant was judged in this run."),)
    return (Prose(STAGES), *(_table(variant) for variant in judged))


def _table(variant: VariantView) -> Table:
    assert variant.decision is not None
    spared = spared_words(variant.decision.stopped_at or "")
    unmeasured = [one for one in variant.decision.verdicts if one.reason == spared]
    asked = tuple(_row(one) for one in variant.decision.verdicts if one.reason != spared)
    unasked = tuple(_unasked(gate) for gate in variant.decision.not_asked)
    return Table(
        caption=f"{variant.name}: estimates are damage against the baseline; for a benefit the "
        "gain, for attainment the share itself. Bounds are of 95 % each side; where any of "
        "several gains would do, each is bounded at more. Detectable: the smallest change that "
        "this many repeats or items find four times in five.",
        columns=COLUMNS,
        rows=asked + _spared(unmeasured) + unasked,
    )


def _row(verdict: Verdict) -> tuple[Value, ...]:
    needed = f"{verdict.n_needed:,} needed" if verdict.n_needed else ""
    return (
        Value(verdict.gate, note=" · ".join(filter(None, (verdict.tier, verdict.metric)))),
        Value(verdict.outcome, is_badge=True, tone=TONES[verdict.outcome]),
        NOT_ASKED if verdict.n is None else Value(f"{verdict.n:,}", note=needed),
        _bounded(verdict),
        _margin(verdict),
        Value(verdict.reason, note=_fine_print(verdict)),
    )


def _spared(verdicts: list[Verdict]) -> tuple[tuple[Value, ...], ...]:
    """Put all gates that a stop spared into one row: there is one thing to know of them."""
    if not verdicts:
        return ()
    first, names = verdicts[0], ", ".join(verdict.gate for verdict in verdicts)
    outcome = Value("not measured", exact=first.outcome, tone="muted")
    return ((Value(names), outcome, *(NOT_ASKED,) * 3, Value(first.reason)),)


def _margin(verdict: Verdict) -> Value:
    margin = measure(verdict.margin, verdict.unit)
    if verdict.detectable is None:
        return margin
    smallest = measure(verdict.detectable, verdict.unit).text
    return Value(margin.text, exact=margin.exact, note=f"detectable {smallest}", tone=margin.tone)


def _fine_print(verdict: Verdict) -> str:
    parts: list[str] = []
    if verdict.baseline_only is not None:
        parts.append(f"{verdict.baseline_only} lost, {verdict.variant_only} won")
    if verdict.null_flips is not None:
        parts.append(f"{verdict.null_flips:.1%} flip in the null arm")
    if verdict.mcnemar_p is not None:
        parts.append(f"McNemar p {verdict.mcnemar_p:.3g}, Holm {verdict.holm_p:.3g}")
    if verdict.waived_by:
        parts.append(f"waived by {verdict.waived_by}")
    return " · ".join(parts)


def _bounded(verdict: Verdict) -> Value:
    if verdict.estimate is None or (verdict.lower is None and verdict.upper is None):
        return measure(verdict.estimate, verdict.unit)
    if verdict.kind == "attainment":  # a level, not a damage: it has no sign
        level = measure(verdict.estimate, verdict.unit)
        low, high = (measure(end, verdict.unit).text for end in (verdict.lower, verdict.upper))
        return Value(level.text, exact=level.exact, note=f"[{low}, {high}]")
    factor, unit = SCALED.get(verdict.unit or "", (1.0, verdict.unit or ""))
    lower = None if verdict.lower is None else verdict.lower * factor
    upper = None if verdict.upper is None else verdict.upper * factor
    return interval(verdict.estimate * factor, lower, upper, unit)


def _unasked(gate: str) -> tuple[Value, ...]:
    blank = (NOT_ASKED,) * 3
    return (Value(gate), Value("not asked", tone="muted"), *blank, Value(_UNASKED, tone="muted"))


_UNASKED = "does not apply to this class of change"
SECTION = Section("gates", "Gates", build)
