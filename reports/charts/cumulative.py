"""The share of requests that took at most so long: one curve an arm, and its percentiles as marks.

The axis of time is logarithmic: a tail of twice the median is as far from it as half of it. It is
the same for every cell, so that what load costs is seen from chart to chart.

Example: curves from 40 to 300 ms with a limit of 800 (<= 3 * 300) span 40 to 800 ms; with one of
2000 they span 40 to 300, and the title alone says the limit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import ROWS, chart_of, hue, shape
from reports.charts.limit import limit_line
from reports.words.numbers import rounded

HEIGHT = 170
LEAST_MS = 0.01  # below what stamps of a host can tell, and a logarithm needs something
FAR = 3  # times what was measured: a limit beyond would press the curves together


@dataclass(frozen=True, slots=True)
class Curve:
    """One arm: share of requests (0 to 1) and ms, then the percentiles that are marked."""

    label: str
    colour: int
    n: int
    seen: tuple[tuple[float, float], ...]
    marked: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Times:
    """What the curves are of, the SLO's limit, and the axis, the same for every cell."""

    metric: str
    limit_ms: float | None
    domain_ms: tuple[float, float]


def times(metric: str, curves: Iterable[Curve], limit_ms: float | None) -> Times:
    """Span all curves, and the limit unless it is far beyond them."""
    spans = [ms for one in curves for _, ms in one.seen]
    low, high = max(min(spans), LEAST_MS), max(*spans, LEAST_MS)
    if limit_ms is not None and limit_ms <= FAR * high:
        return Times(metric, limit_ms, (min(low, limit_ms), max(high, limit_ms)))
    return Times(metric, limit_ms, (low, high))


def cumulative(cell: str, axis: Times, curves: Sequence[Curve]) -> Chart:
    """Draw all arms of one cell; the red line is the limit of the SLO."""
    rows = [row for one in curves for row in _rows(one)]
    scale = alt.Scale(type="log", nice=False, padding=8, domain=axis.domain_ms)
    across = alt.X("ms:Q", title=f"{axis.metric}, ms", scale=scale,
                   axis=alt.Axis(tickCount=5, format="~f", labelOverlap=True))  # fmt: skip
    height = alt.Y("share:Q", title="% of requests", scale=alt.Scale(domain=[0, 100]),
                   axis=alt.Axis(values=[0, 25, 50, 75, 90, 100]))  # fmt: skip
    base = alt.Chart(ROWS).encode(x=across, y=height, color=hue(rows))
    layers: list[alt.Chart] = [
        base.mark_line(strokeWidth=1.5)
        .transform_filter("datum.part == 'curve'")
        .encode(order=alt.Order("share:Q")),
        base.mark_point(filled=True, size=48, opacity=1)
        .transform_filter("datum.part == 'percentile'")
        .encode(shape=shape(rows), description=alt.Description("tip:N")),
    ]
    limit_ms = axis.limit_ms
    if limit_ms is not None and limit_ms <= axis.domain_ms[1]:
        layers.append(limit_line("x", limit_ms))
    says = f"share of requests by {axis.metric} in ms; the table holds the percentiles"
    limit = "" if limit_ms is None else f", SLO {limit_ms:g}"
    return chart_of(f"{cell}: {axis.metric}{limit}", says, rows, layers, HEIGHT)


def _rows(one: Curve) -> list[Datum]:
    arm: Datum = {"arm": one.label, "colour": one.colour}
    curve: list[Datum] = [_point("curve", *pair) for pair in one.seen]
    marks = [
        _point("percentile", probability, ms)
        | {"tip": f"{one.label}: {probability:.1%} of {one.n:,} within {rounded(ms)} ms"}
        for probability, ms in one.marked
    ]
    return [arm | row for row in (*curve, *marks)]


def _point(part: str, probability: float, ms: float) -> Datum:
    return {"part": part, "share": 100 * probability, "ms": max(ms, LEAST_MS)}
