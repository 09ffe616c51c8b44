"""Accuracy lost against the baseline, as a forest plot with margins, and accuracy per arm."""

from evals.gates.verdict import Row, Verdict
from evals.results import WHY_STOPPED, SuiteResult
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value, trimmed
from reports.figures.losses import Wording, find_losses, loss_blocks
from reports.figures.savings import savings
from reports.figures.suite_table import SHARE, SUITE_KINDS
from reports.view import Arm, VariantView, View
from reports.words.numbers import NOT_MEASURED, TONES, interval, measure, reading


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    results = [(arm, suite) for arm in view.arms for suite in arm.payloads(SuiteResult)]
    if not results:
        return (Missing("No suite was run: the quality of no variant was measured."),)
    rules = " ".join(sorted({f"{suite.suite}: {suite.rule}." for _, suite in results}))
    told = Prose(f"Scored by a rule fixed beforehand. {rules}")
    answers = {arm.name: arm.payloads(SuiteResult) for arm in view.arms}
    spared = Prose(
        f"{savings(answers)}: a suite ends once more items would not change the verdict."
    )
    asked, accuracies = trimmed(_asked(view)), trimmed(_accuracies(results))
    return (*_losses(view), asked, accuracies, spared, told)


def _losses(view: View) -> tuple[Block, ...]:
    losses = find_losses(view, "paired_accuracy")
    if not losses:
        return (Missing("No suite was judged: answers exist, but no paired comparison was made."),)
    caption = (
        "Accuracy lost, in points (100 points = every item). To the right is worse; the red tick "
        "is the margin, the line no loss; 95 % bounds each side, paired item by "
        "item. Gate, then path."
    )
    return loss_blocks(losses, Wording("accuracy lost", caption, "Suite", "Items", "points"))


def _asked(view: View) -> Table:
    """List every suite a gate asks for, those that say nothing included."""
    rows = [
        _asked_row(variant, verdict, row)
        for variant in view.variants
        for verdict in (variant.decision.verdicts if variant.decision else ())
        for row in verdict.details or (Row(label="", outcome=verdict.outcome),)
        if verdict.kind in SUITE_KINDS
    ]
    return Table(
        caption="Every suite that is asked for. Effective items: what so many are worth where they "
        "are lost together. Lost and won: items right in one arm "
        "only (arXiv 2407.09141). Detectable: the smallest loss found four times in five. Not "
        "applicable: the baseline is not clearly above chance, so there is nothing to lose.",
        columns=(
            Column("Variant"),
            Column("Suite"),
            Column("Items", "number"),
            Column("Effective items", "number"),
            Column("Loss and bounds", "number"),
            Column("Lost and won", "number"),
            Column("Margin", "number"),
            Column("Detectable", "number"),
            Column("Verdict"),
        ),
        rows=tuple(rows),
    )


def _asked_row(variant: VariantView, verdict: Verdict, row: Row) -> tuple[Value, ...]:
    unit = verdict.unit or SHARE
    return (
        Value(variant.name, colour=variant.colour),
        Value(verdict.gate, note=row.label),
        NOT_MEASURED if row.n is None else Value(f"{row.n:,}"),
        NOT_MEASURED if row.n_effective is None else Value(f"{row.n_effective:,}"),
        _loss(row, unit),
        _flips(row),
        measure(row.margin, unit),
        measure(row.detectable, unit),
        Value(row.outcome, note=row.note, tone=TONES[row.outcome]),
    )


def _loss(row: Row, unit: str) -> Value:
    if row.estimate is None:
        return NOT_MEASURED
    factor, said = (100.0, "points") if unit == SHARE else (1.0, unit)
    low, high = (None if one is None else factor * one for one in (row.lower, row.upper))
    return interval(factor * row.estimate, low, high, said)


def _flips(row: Row) -> Value:
    """Read both ways of changing: equal accuracy can hide many changed answers."""
    lost, won = row.baseline_only, row.variant_only
    if lost is None or won is None or not row.n:
        return NOT_MEASURED
    null = "" if row.null_flips is None else f", null arm {row.null_flips:.1%}"
    return Value(f"{lost:,} and {won:,}", note=f"{(lost + won) / row.n:.1%} changed{null}")


def _accuracies(results: list[tuple[Arm, SuiteResult]]) -> Table:
    ordered = sorted(results, key=lambda item: (item[1].suite, item[1].path, item[0].colour))
    return Table(
        caption="Accuracy per arm; an item without an answer counts as wrong here. Path: artifact "
        "is scored in process (weights), engine through the server (weights and serving). Null "
        "arm: some items asked of the baseline again, harmlessly perturbed; what flips is noise. "
        "Tokens: those scored of choices (a context once an option), those written else. Engine "
        "busy: share of the time in which it had a request, by its own counts four times a second.",
        columns=(
            Column("Suite"),
            Column("Path"),
            Column("Arm"),
            Column("Accuracy", "number"),
            Column("Chance", "number"),
            Column("Unanswered items", "number"),
            Column("Items asked", "number"),
            Column("Items/s", "number"),
            Column("Tokens/s", "number"),
            Column("Engine busy", "number"),
        ),
        rows=tuple(_accuracy(arm, suite) for arm, suite in ordered),
    )


def _accuracy(arm: Arm, suite: SuiteResult) -> tuple[Value, ...]:
    right = sum(sample.is_correct is True for sample in suite.samples)
    unanswered = suite.num_issued - sum(s.is_correct is not None for s in suite.samples)
    share = reading(
        100 * right / max(1, suite.num_issued), "%", note=f"{right:,} of {suite.num_issued:,}"
    )
    return (
        Value(suite.suite),
        Value(suite.path),
        Value(arm.name, colour=arm.colour, note="null arm" if suite.arm == "null" else ""),
        share,
        reading(100 * suite.chance, "%"),
        Value(f"{unanswered:,}"),
        Value(f"{suite.num_issued:,}", note=_stopped(suite)),
        *_pace(suite),
    )


def _pace(suite: SuiteResult) -> tuple[Value, ...]:
    share = suite.engine_busy_share
    verb = "scored" if suite.output_tokens is None else "written"
    return (
        reading(suite.items_per_s),
        NOT_MEASURED if suite.tokens_per_s is None else reading(suite.tokens_per_s, note=verb),
        reading(None if share is None else 100 * share, "%"),
    )


def _stopped(suite: SuiteResult) -> str:
    if suite.stopped is None:
        return ""
    return f"of {suite.num_planned:,}: {WHY_STOPPED[suite.stopped]}"


SECTION = Section("quality", "Quality", build)
