"""Charts: the rows they hold worked by hand, what a drawing shows of them, text escaped."""

from xml.etree import ElementTree

from reports.blocks import Chart
from reports.charts import (
    Bar,
    LevelLine,
    LevelPoint,
    LoadMetric,
    Part,
    Points,
    Span,
    bars,
    domain_of,
    forest,
    levels,
    load_chart,
)
from reports.charts.drawing import colour_of, drawn
from reports.charts.swatch import swatch

SVG = "{http://www.w3.org/2000/svg}"


def marks_of(chart: Chart) -> list[ElementTree.Element]:
    """Return the marks that say what they are."""
    return [one for one in ElementTree.fromstring(drawn(chart)).iter() if one.get("data-tip")]


def test_a_drawing_is_named_and_takes_its_colours_from_the_page() -> None:
    spans = (Span("tool-calling", 2, 1.0, -2.0, 4.0, 5.0),)
    drawing = str(drawn(forest("int8", "points", spans, domain_of(spans))))
    svg = ElementTree.fromstring(drawing)
    assert svg.get("role") == "img"
    assert (svg.get("aria-label") or "").startswith("int8: points lost")
    assert "var(--c2)" in drawing
    assert "font-family" not in drawing
    assert "<script" not in drawing


def test_markup_in_words_is_text() -> None:
    spans = (Span("<b>&", 1, 1.0, 0.0, 2.0, None),)
    drawing = str(drawn(forest("<i>", "points", spans, domain_of(spans))))
    assert "<b>" not in drawing
    assert "<i>" not in drawing
    assert "&lt;b&gt;&amp;" in drawing


def test_28_variants_differ_in_colour_or_shape() -> None:
    assert len({swatch(index) for index in range(1, 29)}) == 28
    assert [colour_of(index) for index in (0, 1, 7, 8)] == [0, 1, 7, 1]


def test_forest_axis_holds_margin_zero_and_every_end() -> None:
    """From -2 to 9 is 11; 8 % of it is .88."""
    spans = (Span("a", 1, 1.0, -2.0, 4.0, 5.0), Span("b", 2, 9.0, 7.0, None, 5.0))
    low, high = domain_of(spans)
    assert (round(low, 2), round(high, 2)) == (-2.88, 9.88)
    row = forest("t", "points", spans, (low, high)).rows[1]
    assert (row["low"], row["high"]) == (7.0, high)  # an open end reaches the edge
    assert row["tip"] == "b: 9 points [7, no bound], margin 5"


def test_load_chart_holds_repeats_and_says_where_the_limit_is() -> None:
    points = (Points("closed-1", "baseline", 0, (10.0, 12.0), 11.0, 9.0, 13.0),)
    chart = load_chart(LoadMetric("TPOT", "ms", 12), points)
    assert chart.title == "TPOT, SLO 12"
    assert [row["value"] for row in chart.rows] == [10.0, 12.0, 11.0]
    assert chart.rows[-1]["tip"] == "baseline, closed-1: 11 ms [9, 13], 2 repeats"
    assert "var(--fail)" in str(drawn(chart))
    far = load_chart(LoadMetric("TPOT", "ms", 100), points)
    assert "var(--fail)" not in str(drawn(far))  # it would flatten what was measured


def test_a_chart_of_nothing_but_zeros_has_an_axis() -> None:
    """Attainment 0 everywhere is a result: no request met the SLO."""
    points = (Points("poisson-2", "int8", 1, (0.0, 0.0), 0.0, 0.0, 0.0),)
    assert "int8" in str(drawn(load_chart(LoadMetric("Inside the SLO", "%", 90.0), points)))


def test_bar_parts_lie_end_to_end() -> None:
    bar = Bar("int8", 1, (Part("weights", 25, "25"), Part("cache", 50, "50")), Part("e", 70, "70"))
    chart = bars("Memory", "MiB", [bar])
    assert [(row["start"], row["end"]) for row in chart.rows] == [(0, 25), (25, 75), (0, 70)]
    assert [mark.get("data-tip") for mark in marks_of(chart)] == [
        "int8: 25", "int8: 50", "int8: 70"]  # fmt: skip


def test_level_chart_draws_a_line_an_arm_through_its_levels() -> None:
    points = tuple(LevelPoint(level, 50.0, 40.0, 60.0, 25) for level in (1.0, 2.0, 16.0))
    lines = (LevelLine("a", 0, points), LevelLine("b", 1, points[:2]))
    chart = levels("cliff-tools", "tools offered", lines, 16.7)
    assert chart.rows[2]["tip"] == "a, 16: 50 % [40, 60], 25 items"
    words = [one.text for one in ElementTree.fromstring(drawn(chart)).iter(f"{SVG}text")]
    assert [word for word in words if word in {"1", "2", "16"}] == ["1", "2", "16"]
