"""Which repeats support a verdict, why each other one does not, and what else was checked.

A repeat that is not valid is shown and never judged: `evals.performance.validity` names its faults.
"""

from collections.abc import Iterable

from evals.performance.steady_state import MIN_REQUESTS
from evals.performance.validity import SATURATED
from evals.results import Cell, Check
from evals.workload.cell import CellSpec
from reports.blocks import Block, Column, Missing, Section, Table, Tone, Value, trimmed
from reports.figures.repeats import Repeat, repeats_of
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, reading


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    if not any(arm.payloads(Cell) for arm in view.arms):
        cells: Block = Missing("No load was sent in this run: there is no repeat to be valid.")
    else:
        cells = trimmed(_cells(view))
    return (*_unreadable(view), cells, *_isolation(view))


def _unreadable(view: View) -> tuple[Block, ...]:
    """Name what was recorded and cannot be read: a gate that rests on it holds the variant."""
    rows = tuple((Value(problem, tone="fail"),) for problem in view.told.unreadable)
    caption = "Recorded, and not read: what these records say stands nowhere on this page."
    return (Table(caption, (Column("Record, and what is wrong with it"),), rows),) if rows else ()


def _cells(view: View) -> Table:
    by_arm = {arm.name: repeats_of(arm) for arm in view.arms}
    return Table(
        caption="Only valid repeats are judged or enter a figure above. Send lag: how late the "
        "client sent, p99 of a repeat, its worst repeat. Arrivals: variance of their counts / "
        "mean (Poisson: 1, even: 0). Load: whether requests in flight grew over the window (trend "
        f"of ten batches; fewer than {MIN_REQUESTS} requests cannot tell). Rest: longest time "
        "until the server was at rest again.",
        columns=(
            Column("Cell"), Column("Arm"), Column("Repeats"), Column("Why not valid"),
            Column("Send lag", "number"), Column("Arrivals", "number"), Column("Load"),
            Column("Rest", "number"),
        ),
        rows=tuple(
            _row(arm, spec, found)
            for spec in view.told.study.workload.cells
            for arm in view.arms
            if (found := [one for one in by_arm[arm.name] if one.cell.name == spec.name])
        ),
        is_stacked=False,
    )  # fmt: skip


def _row(arm: Arm, spec: CellSpec, found: list[Repeat]) -> tuple[Value, ...]:
    cells = [one.cell for one in found]
    num_valid = sum(not cell.invalid for cell in cells)
    tone: Tone = "plain" if num_valid == len(cells) else "fail"
    return (
        Value(spec.name),
        Value(arm.name, colour=arm.colour),
        Value(f"{num_valid} of {len(cells)} valid", tone=tone),
        _why(found),
        reading(max(_metrics(cells, "send_lag_ms_p99"), default=None), "ms"),
        _arrivals(cells, spec),
        _load(cells, spec),
        reading(max(_metrics(cells, "recovery_ms"), default=None), "ms"),
    )


def _why(found: Iterable[Repeat]) -> Value:
    """Give every reason of every repeat."""
    told = [f"{label}: {'; '.join(cell.invalid)}" for label, cell in found if cell.invalid]
    return Value("", note=". ".join(told)) if told else NOT_ASKED


def _metrics(cells: Iterable[Cell], key: str) -> list[float]:
    return [value for cell in cells if (value := cell.metrics.get(key)) is not None]


def _arrivals(cells: list[Cell], spec: CellSpec) -> Value:
    if not spec.is_open:
        return NOT_ASKED
    known = _metrics(cells, "arrival_dispersion")
    return reading(sum(known) / len(known) if known else None)


def _load(cells: list[Cell], spec: CellSpec) -> Value:
    """Say whether the load grew; a closed loop holds its own."""
    if not spec.is_open:
        return Value("held by the loop", tone="muted")
    num_grown = sum(any(why.startswith(SATURATED) for why in cell.invalid) for cell in cells)
    if num_grown:
        return Value(f"grew in {num_grown} of {len(cells)}", tone="fail")
    num_told = sum(cell.num_offered >= MIN_REQUESTS for cell in cells)
    if not num_told:
        return Value("too few requests to tell", tone="muted")
    return Value("steady" if num_told == len(cells) else f"steady in {num_told} of {len(cells)}")


def _isolation(view: View) -> tuple[Block, ...]:
    rows = tuple(
        (Value(arm.name, colour=arm.colour), Value(check.name), _passed(check),
         Value(check.reason))
        for arm in view.arms
        for check in arm.payloads(Check)
        if check.stage == "isolation"
    )  # fmt: skip
    if not rows:
        return (Missing("Whether tenants' prefix caches are kept apart was not looked at."),)
    caption = (
        "Isolation: whether what one tenant has sent is found in the prefix cache by another. It "
        "is shown; no gate asks for it."
    )
    columns = (Column("Arm"), Column("Check"), Column("Found"), Column("In words"))
    return (Table(caption, columns, rows),)


def _passed(check: Check) -> Value:
    if check.passed is None:
        return Value("not told", tone="muted")
    return Value("apart", tone="pass") if check.passed else Value("not apart", tone="fail")


SECTION = Section("validity", "Validity of every cell", build)
