"""Distance from the baseline, against the baseline's distance from itself."""

from evals.results import Fidelity, FidelityBucket, FidelityFigure, FidelitySlice
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.view import Arm, View
from reports.words.numbers import NOT_MEASURED, reading, rounded

COLUMNS = (
    Column("Variant"),
    Column("Mean KL", "number"),
    Column("Null arm's mean KL", "number"),
    Column("p99 KL", "number"),
    Column("Largest KL", "number"),
    Column("Top-1 agreement", "number"),
    Column("Perplexity ratio", "number"),
    Column("Positions", "number"),
)
NO_NUMBER = Value("no number", tone="fail")  # every token of it was NaN or infinite
PART_COLUMNS = (  # of a slice or a bucket
    Column("Mean KL", "number"),
    Column("Null arm's mean KL", "number"),
    Column("Perplexity ratio", "number"),
    Column("Tokens scored", "number"),
)


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    rows = tuple(_row(arm, item) for arm in view.variants for item in arm.payloads(Fidelity))
    if not rows:
        return (Missing("No variant was compared token by token with the baseline in this run."),)
    return (
        Table(
            caption="KL(baseline || variant) over the whole vocabulary, in process, in nats per "
            "position. The null arm is the baseline against itself computed in fp32. This "
            "screens; it never promotes.",
            columns=COLUMNS,
            rows=rows,
        ),
        *_slices(view),
        *_positions(view),
        *_whole_tables(view),
    )


def _slices(view: View) -> tuple[Block, ...]:
    """List every role of every variant."""
    found = [
        (arm, one)
        for arm in view.variants
        for item in arm.payloads(Fidelity)
        for one in item.slices
    ]
    if not found:
        return ()
    return (
        Table(
            caption="The distance by what a token is: the screen's prose, and in short "
            "conversations the prompt, answers, calls, the punctuation of JSON, and how a refusal "
            "begins. Errors are by passage, 95 % bounds each side. Near the null arm's KL it is "
            "the noise of the arithmetic.",
            columns=(Column("Variant"), Column("Tokens"), *PART_COLUMNS,
                     Column("Top-1 agreement", "number"), Column("Mean delta p", "number")),
            rows=tuple(_slice(arm, one) for arm, one in found),
        ),
    )  # fmt: skip


def _slice(arm: Arm, one: FidelitySlice) -> tuple[Value, ...]:
    share = None if one.top1_agreement is None else 100 * one.top1_agreement
    error = "" if one.kl_error is None else f"± {rounded(one.kl_error)}"
    return (
        Value(arm.name, colour=arm.colour),
        Value(one.name),
        *_part(one, error),
        reading(share, "%"),
        reading(one.mean_delta_p, "points"),
    )


def _positions(view: View) -> tuple[Block, ...]:
    """List every bucket of positions of every variant."""
    found = [
        (arm, one)
        for arm in view.variants
        for item in arm.payloads(Fidelity)
        for one in item.positions
    ]
    if not found:
        return ()
    return (
        Table(
            caption="The distance by position in long prose: how many tokens stand before. A "
            "variant that is hurt far back shows a growing KL beside a steady null arm. Bounds "
            "are of 95 % each side, whole passages resampled.",
            columns=(Column("Variant"), Column("Position"), *PART_COLUMNS,
                     Column("Perplexity", "number")),
            rows=tuple(_bucket(arm, one) for arm, one in found),
        ),
    )  # fmt: skip


def _bucket(arm: Arm, one: FidelityBucket) -> tuple[Value, ...]:
    return (
        Value(arm.name, colour=arm.colour),
        Value(f"{one.start_token:,} to {one.end_token:,}"),
        *_part(one, _bounds(one.kl_lower, one.kl_upper)),
        reading(one.variant_perplexity, note=f"baseline {_short(one.baseline_perplexity)}"),
    )


def _part(one: FidelitySlice | FidelityBucket, kl_note: str) -> tuple[Value, ...]:
    lost = f"{one.num_nonfinite:,} not finite" if one.num_nonfinite else ""
    passages = f"{one.num_passages:,} passage{'' if one.num_passages == 1 else 's'}"
    return (
        NO_NUMBER if one.mean_kl is None else reading(one.mean_kl, "nats", note=kl_note),
        reading(one.null_mean_kl, "nats"),
        _ratio(one.perplexity_ratio, one.ratio_lower, one.ratio_upper),
        Value(
            f"{one.num_tokens:,}",
            note=" · ".join(filter(None, (passages, lost))),
            tone="fail" if lost else "plain",
        ),
    )


def _ratio(ratio: float | None, lower: float | None, upper: float | None) -> Value:
    """Read four decimals: a ratio that matters may be 1.002."""
    if ratio is None:
        return NOT_MEASURED
    note = "" if lower is None or upper is None else f"[{lower:,.4f}, {upper:,.4f}]"
    return Value(f"{ratio:,.4f}", exact=repr(ratio), note=note)


def _bounds(lower: float | None, upper: float | None) -> str:
    return "" if lower is None or upper is None else f"[{rounded(lower)}, {rounded(upper)}]"


def _short(value: float | None) -> str:
    return NOT_MEASURED.text if value is None else rounded(value)


def _whole_tables(view: View) -> tuple[Block, ...]:
    """Lay the variants' tables side by side, one figure a line."""
    found = [
        (arm, {figure.name: figure for figure in item.figures})
        for arm in view.variants
        for item in arm.payloads(Fidelity)
        if item.figures
    ]
    if not found:
        return ()
    names = list(found[0][1])
    return (
        Table(
            caption="The same distance in full, as llama.cpp's perplexity tool lists it. Delta p: "
            "how the probability of the true token changes, in points. Errors are by document.",
            columns=(Column("Figure"), *(Column(arm.name, "number") for arm, _ in found)),
            rows=tuple(
                (Value(name), *(_figure(figures.get(name)) for _, figures in found))
                for name in names
            ),
        ),
    )


def _figure(figure: FidelityFigure | None) -> Value:
    if figure is None:
        return NOT_MEASURED
    error = figure.standard_error
    return reading(figure.value, figure.unit, note="" if error is None else f"± {rounded(error)}")


def _row(arm: Arm, item: Fidelity) -> tuple[Value, ...]:
    nonfinite = f"{item.num_nonfinite:,} not finite" if item.num_nonfinite else ""
    null_share = f"null arm {item.null_top1_agreement:.2%}"
    return (
        Value(arm.name, colour=arm.colour),
        reading(item.mean_kl, "nats"),
        reading(item.null_mean_kl, "nats"),
        reading(item.p99_kl, "nats"),
        reading(item.max_kl, "nats"),
        reading(100 * item.top1_agreement, "%", note=null_share),
        reading(item.perplexity_ratio),
        Value(
            f"{item.num_positions:,}",
            note=" · ".join(filter(None, (f"{item.num_documents:,} documents", nonfinite))),
        ),
    )


SECTION = Section("fidelity", "Fidelity", build)
