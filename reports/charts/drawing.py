"""Vega-Lite specifications as static drawings inside the page (adapters: altair, vl-convert).

Colours are the style sheet's variables (`--c0` is the baseline), so that one drawing serves light,
dark and print. A mark that has a `tip` says it to whoever points at it (`templates/tips.js`); the
tables hold the same numbers for everyone else.

Source of the grammar: Satyanarayan et al., "Vega-Lite", IEEE TVCG 23:341, 2017.
"""

import re
from collections.abc import Iterable, Sequence, Set
from xml.etree import ElementTree

import altair as alt
import vl_convert
from markupsafe import Markup

from reports.blocks import Chart, Datum, Scalar

WIDTH = 380  # of one drawing in CSS pixels, labels included: it fits a phone
PADDING = {"left": 14, "right": 6, "top": 5, "bottom": 5}  # a reader's font may be wider
NUM_COLOURS = 8  # in the style sheet; the first is the baseline's
SHAPES = ("circle", "square", "diamond", "triangle-up")  # 7 colours x 4 shapes: 28 variants differ
SVG = "http://www.w3.org/2000/svg"
INK, SOFT, RULE, FAIL = (f"var(--{name})" for name in ("ink", "soft", "rule", "fail"))
THEME = {
    "background": None,
    "view": {"stroke": None},
    "axis": {
        "labelColor": SOFT, "titleColor": SOFT, "labelFontSize": 11.5, "titleFontSize": 11.5,
        "titleFontWeight": "normal", "gridColor": RULE, "domainColor": RULE, "tickColor": RULE,
        "labelLimit": 165,
    },
    "title": {"color": INK, "fontSize": 13, "fontWeight": 600, "anchor": "start", "offset": 10,
              "frame": "bounds", "limit": WIDTH - 24},
    "header": {"labelColor": SOFT, "titleColor": SOFT},
    "text": {"color": INK},
}  # fmt: skip
ROWS = alt.NamedData("rows")


def colour_of(index: int) -> int:
    """Return which of the style sheet's colours a variant has; 0 is the baseline's alone."""
    return 0 if index == 0 else 1 + (index - 1) % (NUM_COLOURS - 1)


def hue(rows: Iterable[Datum]) -> alt.Color:
    """Give every arm its colour: `colour` of a row is the arm's index."""
    present = _present(rows)
    colours = [f"var(--c{colour_of(one)})" for one in present]
    scale = alt.Scale(domain=present, range=colours)
    return alt.Color("colour:N", legend=None, scale=scale)


def shape(rows: Iterable[Datum]) -> alt.Shape:
    """Give every arm its shape, for those who do not see its colour."""
    present = _present(rows)
    shapes = [SHAPES[one % len(SHAPES)] for one in present]
    return alt.Shape("colour:N", legend=None, scale=alt.Scale(domain=present, range=shapes))


def _present(rows: Iterable[Datum]) -> list[int]:
    present: set[int] = set()
    for row in rows:
        if isinstance(index := row.get("colour"), int):
            present.add(index)
    return sorted(present)


def chart_of(
    title: str, says: str, rows: Iterable[Datum], layers: Sequence[alt.Chart], height: int
) -> Chart:
    """Bind layers that draw `ROWS` to their rows; the height is of the plot, in CSS pixels."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    drawing = alt.layer(*layers).properties(
        title=title, width=WIDTH, height=height, autosize=fit, padding=PADDING
    )
    return Chart(title, says, tuple(rows), drawing.to_dict(validate=False))


def drawn(chart: Chart) -> Markup:
    """Draw a chart as an SVG element that scales with its container."""
    spec = chart.spec | {"datasets": {"rows": list(chart.rows)}}
    svg = ElementTree.fromstring(vl_convert.vegalite_to_svg(spec, config=THEME))
    tips = {row.get("tip") for row in chart.rows}
    for element in svg.iter():
        _plain(element, tips)
        for hidden in [child for child in element if _is_hidden(child)]:
            element.remove(hidden)
    size = svg.get("viewBox", "")
    svg.attrib.clear()
    svg.attrib |= {"viewBox": size, "role": "img", "aria-label": f"{chart.title}: {chart.says}"}
    ElementTree.register_namespace("", SVG)
    return Markup(ElementTree.tostring(svg, encoding="unicode"))


def _is_hidden(element: ElementTree.Element) -> bool:
    """Tell what Vega leaves in place unseen, as labels that would overlap."""
    return element.get("display") == "none" or element.get("opacity") == "0"


def _plain(element: ElementTree.Element, tips: Set[Scalar]) -> None:
    """Keep what draws, round it, and turn a mark's description into its tip."""
    said = element.get("aria-label", "")
    for name in [one for one in element.attrib if one.startswith("aria-") or one in UNUSED]:
        del element.attrib[name]
    for name in ("transform", "d", "x", "y", "x1", "x2", "y1", "y2", "width", "height"):
        if name in element.attrib:
            element.set(name, _DECIMALS.sub(_rounded, element.attrib[name]))
    if said in tips:
        element.set("data-tip", said)


UNUSED = frozenset({"role", "class", "font-family", "pointer-events"})
_DECIMALS = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found.group()):.1f}".removesuffix(".0")
