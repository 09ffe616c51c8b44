"""What each artifact cost to make, and after how much traffic that is paid for."""

from statistics import fmean

from evals.planning.break_even import break_even_tokens
from evals.results import Artifact
from reports.blocks import Block, Column, Table, Value
from reports.view import Arm, View
from reports.words.numbers import NOT_MEASURED, duration, num_bytes, reading, rounded

TOKENS_PER_S = "output_tokens_per_s"
COLUMNS = (
    Column("Arm"),
    Column("Build", "number"),
    Column("By stage"),
    Column("Our part", "number"),
    Column("Device time", "number"),
    Column("Host peak", "number"),
    Column("Device peak", "number"),
    Column("Paid for after", "number"),
)


def making_table(view: View) -> tuple[Block, ...]:
    """Lay out the cost of making; nothing where no build of this run was measured."""
    found = [
        (arm, item)
        for arm in view.arms
        for item in arm.payloads(Artifact)[-1:]
        if item.device_hours is not None
    ]
    if not found:
        return ()
    cell = view.told.study.objective.cell
    caption = (
        "What making cost. Our part: what the builder's libraries did not take. Paid for after: "
        f"output tokens whose saving in device time, at the rates of cell {cell}, equals the build."
    )
    return (Table(caption, COLUMNS, tuple(_row(view, arm, item) for arm, item in found)),)


def _row(view: View, arm: Arm, item: Artifact) -> tuple[Value, ...]:
    stages = ", ".join(f"{name} {rounded(s)} s" for name, s in item.stage_seconds.items())
    price = view.told.study.price_per_device_hour
    hours = item.device_hours or 0.0
    return (
        Value(arm.name, colour=arm.colour),
        duration(item.build_seconds),
        Value(stages) if stages else NOT_MEASURED,
        _own_share(item),
        reading(hours, "h", note=f"{rounded(hours * price)} USD" if price else ""),
        num_bytes(item.peak_host_bytes),
        num_bytes(item.peak_device_bytes),
        _paid_after(view, arm, hours),
    )


def _own_share(item: Artifact) -> Value:
    if item.library_seconds is None:
        return NOT_MEASURED
    return reading(100 * (1 - item.library_seconds / item.build_seconds), "%")


def _paid_after(view: View, arm: Arm, hours: float) -> Value:
    cell = view.told.study.objective.cell
    ours, theirs = _rate(arm, cell), _rate(view.baseline, cell)
    if arm is view.baseline or ours is None or theirs is None:
        return Value("–", tone="muted") if arm is view.baseline else NOT_MEASURED
    tokens = break_even_tokens(hours, theirs, ours)
    return reading(round(tokens), "tokens") if tokens is not None else Value("never", tone="fail")


def _rate(arm: Arm, cell: str) -> float | None:
    rates = [one.metrics.get(TOKENS_PER_S) for one in arm.cells(cell) if not one.invalid]
    known = [rate for rate in rates if rate]
    return fmean(known) if known else None
