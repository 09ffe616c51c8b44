"""Charts: geometry worked by hand, text escaped."""

from xml.etree import ElementTree

import pytest

from reports.charts import (
    LevelChart,
    LevelLine,
    LevelPoint,
    LoadChart,
    Part,
    Points,
    Span,
    axis_of,
    bar_row,
    forest_row,
    levels_of,
)
from reports.charts.svg import Scale, element, nice_step, text


def test_scale_and_ticks() -> None:
    scale = Scale(0, 10, 100, 200)
    assert scale(2.5) == 125
    assert scale(99) == 200  # held inside the drawing
    assert scale.ticks(4) == [0, 5, 10]


@pytest.mark.parametrize(("rough", "step"), [(0.25, 0.5), (1, 1), (3, 5), (32, 50), (600, 1000)])
def test_nice_step(rough: float, step: float) -> None:
    assert nice_step(rough) == pytest.approx(step)


def test_markup_in_words_is_text() -> None:
    assert str(text(0, 0, "<b>&")) == (
        '<text x="0" y="0" text-anchor="start" class="">&lt;b&gt;&amp;</text>'
    )
    assert "onload" not in ElementTree.fromstring(element("g", id='"><a onload="x')).attrib


def test_forest_axis_holds_margin_zero_and_every_end() -> None:
    spans = (Span("a", 1, 1.0, -2.0, 4.0, 5.0), Span("b", 2, 9.0, 7.0, None, 5.0))
    axis = axis_of(spans)
    assert [axis.low, axis.high] == pytest.approx([-2 - 0.88, 9 + 0.88])
    drawn = ElementTree.fromstring(forest_row(spans[1], axis))
    assert drawn.attrib["role"] == "img"
    whisker = next(item for item in drawn if item.get("class") == "whisker c2")
    assert whisker.get("x2") == "252"  # an open end reaches the edge: 260 - 8


def test_load_chart_says_where_the_limit_is() -> None:
    points = (Points("closed-1", "baseline", 0, (10.0, 12.0), 11.0, 9.0, 13.0),)
    inside = LoadChart("TPOT", "ms", ("closed-1",), points, limit=12).draw()
    above = LoadChart("TPOT", "ms", ("closed-1",), points, limit=100).draw()
    assert "ms, SLO 12 (dashed)" in inside
    assert "ms, SLO 100 (above)" in above
    assert 'class="margin"' not in above
    assert inside.count('class="dot c0"') == 2


def test_a_chart_of_nothing_but_zeros_has_an_axis() -> None:
    """Attainment 0 everywhere is a result: no request met the SLO."""
    points = (Points("poisson-2", "int8", 1, (0.0, 0.0), 0.0, 0.0, 0.0),)
    drawn = LoadChart("Requests inside the SLO", "%", ("poisson-2",), points, 90.0).draw()
    assert "int8" in str(drawn)


def test_bar_parts_lie_end_to_end() -> None:
    drawn = ElementTree.fromstring(bar_row((Part("a", 25), Part("b", 50, 2)), 1, 100))
    first, second = (item for item in drawn if item.tag == "rect")
    assert float(first.get("x", "")) + float(first.get("width", "")) == float(second.get("x", ""))
    assert float(second.get("width", "")) == 2 * float(first.get("width", ""))


def test_level_chart_draws_a_line_an_arm_through_its_levels() -> None:
    """Three levels share 374 pixels; 100 % lies at 30, 0 % at 206, so 50 % at 118."""
    points = tuple(LevelPoint(name, 50.0, 40.0, 60.0, 25) for name in ("1", "2", "16"))
    lines = (LevelLine("<a>", 0, points), LevelLine("b", 1, points[:2]))
    assert levels_of(lines) == ("1", "2", "16")
    chart = LevelChart("cliff-tools", "tools offered", levels_of(lines), lines, 16.7).draw()
    drawn = ElementTree.fromstring(chart)
    first, second = (group for group in drawn if group.tag == "g")
    segments = [item for item in first if item.tag == "line"]
    assert [(item.get("y1"), item.get("y2")) for item in segments] == [("118", "118")] * 2
    assert len([item for item in second if item.tag == "line"]) == 1
    stem = next(iter(first.find("g") or []))
    assert (stem.get("y1"), stem.get("y2")) == ("135.6", "100.4")  # 40 % and 60 %
    assert "&lt;a&gt;, 16: 50 % [40, 60], 25 items" in str(chart)
