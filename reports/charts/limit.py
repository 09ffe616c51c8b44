"""One straight line across a drawing: an SLO's limit, dashed and red, or a level to compare with.

A line has one row of its own: over the rows of a chart it would be drawn once a row.
"""

import altair as alt

from reports.charts.drawing import FAIL, SOFT

ONCE = alt.SequenceGenerator(sequence=alt.SequenceParams(start=0, stop=1))


def limit_line(axis: str, limit: float) -> alt.Chart:
    """Draw the limit on one axis, `x` or `y`, in the unit of that axis."""
    return _line(alt.Chart(ONCE).mark_rule(color=FAIL, strokeDash=[4, 3]), axis, limit)


def level_line(axis: str, level: float) -> alt.Chart:
    """Draw what values are compared with, as no difference, or chance."""
    return _line(alt.Chart(ONCE).mark_rule(color=SOFT), axis, level)


def _line(rule: alt.Chart, axis: str, at: float) -> alt.Chart:
    line: alt.Chart = rule.encode(**{axis: alt.datum(at)})
    return line
