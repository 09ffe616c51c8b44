"""Cold and warm starts, from launch to ready to the first token."""

from evals.results import Compilation, Record, StartUp
from reports.blocks import Block, Column, Figures, Missing, Section, Table, Value, legend_of
from reports.charts import Bar, Part, bars
from reports.kept.recorder import CONFIRMATION
from reports.view import Arm, View
from reports.words.numbers import NOT_MEASURED, num_bytes, reading

COLUMNS = (
    Column("Arm"),
    Column("Start"),
    Column("Ready", "number"),
    Column("First token", "number"),
    Column("Load weights", "number"),
    Column("Compile", "number"),
    Column("Compile cache"),
)
CACHE = {True: "hit, proven from the log", False: "no hit", None: "unknown"}


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = [
        (arm, _when(arm, record), record.payload)
        for arm in view.arms
        for record in arm.records
        if isinstance(record.payload, StartUp)
    ]
    if not found:
        return (Missing("No start of an engine was timed in this run."),)
    caption = (
        "One start each (n = 1): read as sizes, not as a comparison. Cold: no compile "
        "cache existed; warm: one was left by the start before. The baseline starts anew beside "
        "each variant, and both start again before a channel moves."
    )
    legend = legend_of(arm for arm, _, _ in found)
    chart = bars("Launch to ready", "s", [_bar(*one) for one in found])
    rows = tuple(_row(*one) for one in found)
    table = Table("The same in numbers.", COLUMNS, rows)
    return (Figures(caption, legend, (chart,)), table, *_break_even(view))


def _break_even(view: View) -> tuple[Block, ...]:
    """Say after how many requests a longer start has paid; nothing where nobody compiled."""
    rows = tuple(_paid(arm, one) for arm in view.variants for one in arm.payloads(Compilation))
    if not rows:
        return ()
    caption = (
        "What compiling costs and when it has paid. Longer: first token after the start, less the "
        "baseline's. Paid after: longer / seconds a request saves, where a request takes its "
        "window / requests that ended well. The packaged cache is refused on any machine that "
        "differs."
    )
    columns = (
        Column("Arm"),
        Column("Cold start longer by", "number"),
        Column("Paid after", "number"),
        Column("Warm start longer by", "number"),
        Column("Paid after", "number"),
        Column("Packaged cache"),
    )
    return (Table(caption, columns, rows),)


def _paid(arm: Arm, found: Compilation) -> tuple[Value, ...]:
    return (
        Value(arm.name, colour=arm.colour, note=f"load: {found.cell}"),
        reading(found.cold_extra_s, "s"),
        _requests(found.cold_requests),
        reading(found.warm_extra_s, "s"),
        _requests(found.warm_requests) if found.warm_extra_s is not None else NOT_MEASURED,
        Value(found.cache_key, note=num_bytes(found.cache_bytes).text)
        if found.cache_key
        else Value("none", tone="muted"),
    )


def _requests(count: float | None) -> Value:
    if count is None:
        return Value("never", tone="fail")
    return reading(float(round(count)), "requests")


def _when(arm: Arm, record: Record) -> str:
    """Tell the starts of one arm apart: beside which variant, and whether before promotion."""
    beside = f"beside {record.variant}" if record.variant != arm.name else ""
    again = "to confirm" if record.step.startswith(CONFIRMATION) else ""
    return ", ".join(filter(None, (beside, again)))


def _bar(arm: Arm, when: str, start: StartUp) -> Bar:
    part = Part("ready", start.ready_s, f"ready in {start.ready_s:.1f} s")
    said = (f"{arm.name} {start.temperature}", when)
    return Bar(", ".join(filter(None, said)), arm.colour, (part,))


def _row(arm: Arm, when: str, start: StartUp) -> tuple[Value, ...]:
    return (
        Value(arm.name, colour=arm.colour, note=when),
        Value(start.temperature),
        reading(start.ready_s, "s"),
        reading(start.first_token_s, "s"),
        reading(start.load_s, "s"),
        reading(start.compile_s, "s"),
        Value(CACHE[start.cache_hit], note=start.cache),
    )


SECTION = Section("startup", "Start-up", build)
