"""Horizontal bars of stacked parts, one per arm or stage, and a tick for what was expected."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import INK, ROWS, chart_of, hue

ROW = 30  # CSS pixels
SHADES = (1.0, 0.55, 0.28)  # opacity of the first part, the second, and so on


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bar: how it reads, and how long it is in the axis' unit."""

    name: str
    value: float
    says: str  # e.g. "weights 257 MiB"


@dataclass(frozen=True, slots=True)
class Bar:
    """Parts end to end, and where it was expected to end."""

    label: str
    colour: int
    parts: tuple[Part, ...]
    expected: Part | None = None


def bars(title: str, unit: str, drawn: Sequence[Bar]) -> Chart:
    """Draw one bar a row, on an axis from 0."""
    rows = [row for bar in drawn for row in _rows(bar)]
    base = alt.Chart(ROWS).encode(
        y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False)),
        description=alt.Description("tip:N"),
    )
    layers = [
        base.mark_bar(height=14)
        .transform_filter("datum.part != 'expected'")
        .encode(
            x=alt.X("start:Q", title=unit, axis=alt.Axis(tickCount=5)),
            x2="end:Q",
            color=hue(rows),
            opacity=alt.Opacity("shade:Q", scale=None, legend=None),
        ),
        base.mark_tick(thickness=2, height=20, color=INK)
        .transform_filter("datum.part == 'expected'")
        .encode(x="end:Q"),
    ]
    says = f"in {unit}; the table holds the numbers"
    return chart_of(title, says, rows, layers, height=ROW * len(drawn))


def _rows(bar: Bar) -> list[Datum]:
    rows: list[Datum] = []
    start = 0.0
    for part, shade in zip(bar.parts, SHADES, strict=False):
        rows.append(_row(bar, part, start) | {"part": part.name, "shade": shade})
        start += part.value
    if bar.expected is not None:
        rows.append(_row(bar, bar.expected, 0.0) | {"part": "expected"})
    return rows


def _row(bar: Bar, part: Part, start: float) -> Datum:
    return {
        "label": bar.label,
        "colour": bar.colour,
        "start": start,
        "end": start + part.value,
        "tip": f"{bar.label}: {part.says}",
    }
