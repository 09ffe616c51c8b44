"""A forest plot: one row per comparison, its estimate, its bounds, and the margin it may not cross.

To the right is worse. The solid line is no difference; each row carries its own margin, since
gates differ in theirs. An open bound reaches the edge of the plot.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reports.blocks import Chart, Datum
from reports.charts.drawing import FAIL, ROWS, chart_of, hue, shape
from reports.charts.limit import level_line
from reports.words.numbers import rounded

ROW = 26  # CSS pixels


@dataclass(frozen=True, slots=True)
class Span:
    """An estimate and its interval; an open end, or a margin that nobody set, is None."""

    label: str
    colour: int
    estimate: float
    lower: float | None
    upper: float | None
    margin: float | None


def forest(title: str, unit: str, spans: Sequence[Span], domain: tuple[float, float]) -> Chart:
    """Draw one variant's rows on an axis that all variants share."""
    rows = [_row(span, unit, domain) for span in spans]
    base = alt.Chart(ROWS).encode(
        y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False)),
        description=alt.Description("tip:N"),
    )
    worse = alt.X(
        "low:Q", title=f"{unit} lost", scale=alt.Scale(domain=list(domain), nice=False, clamp=True)
    )
    layers = [
        base.mark_rule(strokeWidth=2).encode(x=worse, x2="high:Q", color=hue(rows)),
        base.mark_tick(thickness=2, color=FAIL, height=16).encode(x="margin:Q"),
        base.mark_point(filled=True, size=64, opacity=1).encode(
            x="estimate:Q", color=hue(rows), shape=shape(rows)
        ),
        level_line("x", 0),
    ]
    says = f"{unit} lost against the baseline, with bounds; the table holds the numbers"
    return chart_of(title, says, rows, layers, height=ROW * len(spans))


def domain_of(spans: Sequence[Span]) -> tuple[float, float]:
    """Return the smallest axis that shows every interval, margin and zero, with some air."""
    ends = [0.0]
    for span in spans:
        known = (span.estimate, span.lower, span.upper, span.margin)
        ends += [value for value in known if value is not None]
    air = (max(ends) - min(ends)) * 0.08 or 1.0
    return min(ends) - air, max(ends) + air


def _row(span: Span, unit: str, domain: tuple[float, float]) -> Datum:
    lower, upper = ("no bound" if end is None else rounded(end) for end in (span.lower, span.upper))
    margin = "" if span.margin is None else f", margin {rounded(span.margin)}"
    return {
        "label": span.label,
        "colour": span.colour,
        "estimate": span.estimate,
        "low": domain[0] if span.lower is None else span.lower,
        "high": domain[1] if span.upper is None else span.upper,
        "margin": span.margin,
        "tip": f"{span.label}: {rounded(span.estimate)} {unit} [{lower}, {upper}]{margin}",
    }
