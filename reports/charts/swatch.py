"""A variant's mark alone, to stand before its name: the colour and shape it has in every chart."""

from markupsafe import Markup

from reports.charts.drawing import SHAPES, colour_of

# Inside a square of 12, the middle at 0.
PATHS = {
    "circle": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "square": "M-4-4h8v8h-8z",
    "diamond": "M0-5.5L5.5 0L0 5.5L-5.5 0z",
    "triangle-up": "M0-5L5.2 4H-5.2z",
}
FRAME = (
    '<svg viewBox="-6 -6 12 12" class="swatch" aria-hidden="true"><path d="{}" class="c{}"/></svg>'
)


def swatch(index: int) -> Markup:
    """Draw the mark of an arm by its index; 0 is the baseline."""
    return Markup(FRAME).format(PATHS[SHAPES[index % len(SHAPES)]], colour_of(index))
