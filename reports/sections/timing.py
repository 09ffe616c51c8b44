"""Where the time of the run went."""

from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.charts import Part, bar_row
from reports.numbers import duration
from reports.view import View


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    stages = view.told.stages
    if not stages:
        return (Missing("The stages of this run were not timed."),)
    total = sum(stage.seconds for stage in stages)
    top = max(stage.seconds for stage in stages)
    rows = tuple(
        (
            Value(stage.name),
            Value("", chart=bar_row((Part(stage.name, stage.seconds),), 0, top or 1.0)),
            duration(stage.seconds),
            Value(f"{stage.seconds / total:.1%}" if total else "0 %"),
        )
        for stage in stages
    )
    columns = (
        Column("Stage"),
        Column("Wall clock", "chart"),
        Column("Time", "number"),
        Column("Share", "number"),
    )
    caption = f"Wall clock of the run by stage; {duration(total).text} in all."
    return (Table(caption, columns, rows),)


SECTION = Section("time", "Where the time went", build)
