"""The limit of an SLO: one dashed red line across a drawing."""

import altair as alt

from reports.charts.drawing import FAIL

# One row of its own: over the rows of a chart the line would be drawn once a row.
ONCE = alt.SequenceGenerator(sequence=alt.SequenceParams(start=0, stop=1))


def limit_line(axis: str, limit: float) -> alt.Chart:
    """Draw the limit on one axis, `x` or `y`, in the unit of that axis."""
    rule = alt.Chart(ONCE).mark_rule(color=FAIL, strokeDash=[4, 3])
    line: alt.Chart = rule.encode(**{axis: alt.datum(limit)})
    return line
