"""Cold and warm starts, from launch to ready to the first token."""

from evals.results import StartUp
from reports.blocks import Block, Column, Figures, Missing, Section, Table, Value, legend_of
from reports.charts import Bar, Part, bars
from reports.view import Arm, View
from reports.words.numbers import reading

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
    found = [(arm, start) for arm in view.arms for start in arm.payloads(StartUp)]
    if not found:
        return (Missing("No start of an engine was timed in this run."),)
    caption = (
        "One start each (n = 1): read as sizes, not as a comparison. Cold: no compile "
        "cache existed; warm: one was left by the start before."
    )
    legend = legend_of(arm for arm, _ in found)
    chart = bars("Launch to ready", "s", [_bar(arm, start) for arm, start in found])
    rows = tuple(_row(arm, start) for arm, start in found)
    return (Figures(caption, legend, (chart,)), Table("The same in numbers.", COLUMNS, rows))


def _bar(arm: Arm, start: StartUp) -> Bar:
    part = Part("ready", start.ready_s, f"ready in {start.ready_s:.1f} s")
    return Bar(f"{arm.name}, {start.temperature}", arm.colour, (part,))


def _row(arm: Arm, start: StartUp) -> tuple[Value, ...]:
    return (
        Value(arm.name, colour=arm.colour),
        Value(start.temperature),
        reading(start.ready_s, "s"),
        reading(start.first_token_s, "s"),
        reading(start.load_s, "s"),
        reading(start.compile_s, "s"),
        Value(CACHE[start.cache_hit]),
    )


SECTION = Section("startup", "Start-up", build)
