"""Cold and warm starts, from launch to ready to the first token."""

from evals.results import StartUp
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.charts import Part, bar_row
from reports.numbers import reading
from reports.view import Arm, View

COLUMNS = (
    Column("Arm"),
    Column("Start"),
    Column("Launch to ready", "chart"),
    Column("Ready", "number"),
    Column("First token", "number"),
    Column("Load weights", "number"),
    Column("Compile", "number"),
    Column("Compile cache"),
)
CACHE = {True: "hit, proven from the log", False: "no hit", None: "unknown"}


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = [(arm, start) for arm in view.arms for start in arm.payloads(StartUp)]
    if not found:
        return (Missing("No start of an engine was timed in this run."),)
    top = max(start.ready_s for _, start in found)
    return (
        Table(
            caption="One start each (n = 1): read as sizes, not as a comparison. Cold: no compile "
            "cache existed; warm: one was left by the start before.",
            columns=COLUMNS,
            rows=tuple(_row(arm, start, top) for arm, start in found),
        ),
    )


def _row(arm: Arm, start: StartUp, top: float) -> tuple[Value, ...]:
    part = Part(f"{arm.name}, {start.temperature}: ready in {start.ready_s:.1f} s", start.ready_s)
    return (
        Value(arm.name, colour=arm.colour),
        Value(start.temperature),
        Value("", chart=bar_row((part,), arm.colour, top)),
        reading(start.ready_s, "s"),
        reading(start.first_token_s, "s"),
        reading(start.load_s, "s"),
        reading(start.compile_s, "s"),
        Value(CACHE[start.cache_hit]),
    )


SECTION = Section("startup", "Start-up", build)
