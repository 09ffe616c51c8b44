"""One figure from run to run: a mark and a whisker per run, in the order they were run.

Runs stand at even distances: what lies between two of them is not measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import ROWS, chart_of, hue, shape
from reports.charts.limit import level_line
from reports.words.numbers import rounded

HEIGHT = 190
MAX_LABELS = 8  # on the axis; beyond, every other run is named, or every third


@dataclass(frozen=True, slots=True)
class Reading:
    """One run's figure with its bounds; an open bound is None."""

    label: str
    value: float
    lower: float | None
    upper: float | None


def trend_chart(title: str, unit: str, readings: Sequence[Reading], colour: int) -> Chart:
    """Draw the readings in the order given."""
    rows = [_row(at, one, unit, colour) for at, one in enumerate(readings, start=1)]
    labels = alt.Axis(labelAngle=0, values=list(range(1, len(rows) + 1, _step(len(rows)))))
    base = alt.Chart(ROWS).encode(
        x=alt.X("at:O", title="run, oldest first", axis=labels),
        color=hue(rows),
        description=alt.Description("tip:N"),
    )
    height = alt.Y("value:Q", title=unit)
    layers = [
        level_line("y", 0),
        base.mark_rule(strokeWidth=2).encode(y=alt.Y("lower:Q", title=unit), y2="upper:Q"),
        base.mark_point(filled=True, size=64, opacity=1).encode(y=height, shape=shape(rows)),
    ]
    says = f"in {unit} for each run; the table holds the numbers"
    return chart_of(title, says, rows, layers, HEIGHT)


def _step(num: int) -> int:
    return -(-num // MAX_LABELS)


def _row(at: int, one: Reading, unit: str, colour: int) -> Datum:
    lower, upper = ("no bound" if end is None else rounded(end) for end in (one.lower, one.upper))
    return {
        "at": at,
        "run": one.label,
        "colour": colour,
        "value": one.value,
        "lower": one.value if one.lower is None else one.lower,
        "upper": one.value if one.upper is None else one.upper,
        "tip": f"run {at}, {one.label}: {rounded(one.value)} {unit} [{lower}, {upper}]",
    }
