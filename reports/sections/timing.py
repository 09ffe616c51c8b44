"""Where the time of the run went."""

from reports.blocks import Block, Column, Figures, Missing, Section, Table, Value
from reports.charts import Bar, Part, bars
from reports.kept.entries import Stage
from reports.view import View
from reports.words.numbers import duration


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    stages = view.told.stages
    if not stages:
        return (Missing("The stages of this run were not timed."),)
    total = sum(stage.seconds for stage in stages)
    rows = tuple(
        (
            Value(stage.name),
            duration(stage.seconds),
            Value(f"{stage.seconds / total:.1%}" if total else "0 %"),
        )
        for stage in stages
    )
    columns = (
        Column("Stage"),
        Column("Time", "number"),
        Column("Share", "number"),
    )
    caption = f"Wall clock of the run by stage; {duration(total).text} in all."
    chart = bars("Wall clock by stage", "minutes", [_bar(stage) for stage in stages])
    return (Figures(caption, (), (chart,)), Table("The same in numbers.", columns, rows))


def _bar(stage: Stage) -> Bar:
    part = Part(stage.name, stage.seconds / 60, duration(stage.seconds).text)
    return Bar(stage.name, 0, (part,))


SECTION = Section("time", "Where the time went", build)
