"""Which cells stand on an axis of load, and where their marks stand on it."""

import math
from collections.abc import Mapping

import pytest

from evals.workload.cell import CellSpec
from reports.blocks import Figures, Table
from reports.charts import LoadAxis, LoadMetric, Points, load_chart
from reports.charts.drawing import drawn
from reports.figures.loads import panels
from reports.sections import performance
from tests.reports import judged


def cells(*fields: Mapping[str, object]) -> list[CellSpec]:
    return [CellSpec.model_validate(one) for one in fields]


def test_families_that_differ_in_load_alone() -> None:
    found = panels(
        cells(
            {"closed": 8}, {"closed": 1}, {"closed": 2, "input": "long"}, {"poisson": 1.5},
            {"poisson": 2.5, "judged": False}, {"gamma": {"rate": 1.5, "cv": 3}},
        )
    )  # fmt: skip
    assert [panel.loads for panel in found] == [
        {"closed-1": 1.0, "closed-8": 8.0},
        {"poisson-1.5": 1.5, "poisson-2.5": 2.5},
        {"closed-2-long-in": None, "gamma-1.5-cv3": None},
    ]
    assert [panel.axis.title if panel.axis else None for panel in found] == [
        "requests at once", "requests/s offered", None]  # fmt: skip
    assert sum(len(panel.metrics) for panel in found) == 9  # 3 closed, 4 open, 2 of the rest


def test_the_family_with_the_most_loads_has_the_axis() -> None:
    plain = [{"closed": one} for one in (1, 2)]
    long = [{"closed": one, "input": "long"} for one in (1, 2, 4)]
    first, rest = panels(cells(*plain, *long))
    assert list(first.loads) == ["closed-1-long-in", "closed-2-long-in", "closed-4-long-in"]
    assert list(rest.loads) == ["closed-1", "closed-2"]


def test_single_loads_stand_side_by_side_with_every_metric() -> None:
    (panel,) = panels(cells({"closed": 1}, {"poisson": 2}))
    assert panel.axis is None
    assert panel.metrics == ("output_tokens_per_s", "tpot_ms", "ttft_ms", "goodput_rps",
                             "attainment")  # fmt: skip


def points(load: float, colour: int) -> Points:
    return Points(f"x-{load:g}", f"arm {colour}", colour, (load, load), load, load, load, load)


def test_arms_stand_a_little_apart() -> None:
    """Two arms from 1 to 8: .02 * ln 8 = .0416 apart in logarithms; from 1 to 2, .02 apart."""
    both = [points(load, colour) for load in (1.0, 8.0) for colour in (0, 2)]
    chart = load_chart(LoadMetric("TPOT", "ms"), both, LoadAxis("requests at once", is_log=True))
    seen = [row["x"] for row in chart.rows if row["part"] == "mean"]
    near, far = math.exp(-0.0208), math.exp(0.0208)
    assert seen == pytest.approx([near, far, 8 * near, 8 * far], abs=1e-3)
    both = [points(load, colour) for load in (1.0, 2.0) for colour in (0, 2)]
    chart = load_chart(LoadMetric("TPOT", "ms"), both, LoadAxis("requests/s", is_log=False))
    seen = [row["x"] for row in chart.rows if row["part"] == "mean"]
    assert seen == pytest.approx([0.99, 1.01, 1.99, 2.01])


def test_goodput_stands_beside_what_was_offered_and_what_is_asked() -> None:
    both = [points(load, 1) for load in (1.0, 2.0)]
    asked = LoadMetric("Goodput", "requests/s", share_of_load=0.9)
    chart = load_chart(asked, both, LoadAxis("requests/s offered", is_log=False))
    lines = [(row["part"], row["x"], row["value"]) for row in chart.rows
             if row["part"] in ("offered", "asked")]  # fmt: skip
    assert lines == [("offered", 1, 1), ("offered", 2, 2), ("asked", 1, 0.9), ("asked", 2, 1.8)]
    assert "var(--fail)" in str(drawn(chart))


def test_one_load_measured_of_a_family_still_draws() -> None:
    chart = load_chart(LoadMetric("TPOT", "ms"), [points(1.0, 0), points(1.0, 1)],
                       LoadAxis("requests at once", is_log=True))  # fmt: skip
    assert [row["x"] for row in chart.rows if row["part"] == "mean"] == [1, 1]
    assert "arm 1" in str(drawn(chart))


def test_a_limit_is_drawn_once() -> None:
    both = [points(load, colour) for load in (1.0, 2.0) for colour in (0, 1)]
    assert str(drawn(load_chart(LoadMetric("TPOT", "ms", 2.0), both))).count("var(--fail)") == 1


def test_the_section_draws_both_axes_and_its_table_holds_goodput() -> None:
    found = performance.build(judged.view())
    figures = [block for block in found if isinstance(block, Figures)]
    assert [chart.title for one in figures[:2] for chart in one.charts] == [
        "Output throughput", "Time per output token, mean, SLO 100",
        "Time to first token, median of a repeat, SLO 2000", "Goodput: requests inside the SLO",
        "Attainment: share inside the SLO, SLO 90", "Time per output token, mean, SLO 100",
        "Time to first token, median of a repeat, SLO 2000",
    ]  # fmt: skip
    table = found[-1]
    assert isinstance(table, Table)
    assert [column.title for column in table.columns][2:4] == ["Goodput", "Attainment"]
    held = [row[-1] for row in table.rows if row[1].text == "int8-w8a8"]
    assert {(value.text, value.note) for value in held} == {("4 of 5 valid", "")}
