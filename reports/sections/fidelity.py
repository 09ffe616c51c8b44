"""Distance from the baseline, against the baseline's distance from itself."""

from evals.results import Fidelity, FidelityFigure
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.numbers import NOT_MEASURED, reading, rounded
from reports.view import Arm, View

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


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    rows = tuple(_row(arm, item) for arm in view.variants for item in arm.payloads(Fidelity))
    if not rows:
        return (Missing("No variant was compared token by token with the baseline in this run."),)
    return (
        Table(
            caption="KL(baseline || variant) over the whole vocabulary, in process, in nats per "
            "position. The null arm is the baseline against itself in another batch layout. This "
            "screens; it never promotes.",
            columns=COLUMNS,
            rows=rows,
        ),
        *_whole_tables(view),
    )


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
