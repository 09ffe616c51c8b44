"""The sections on latencies and validity: texts and numbers worked by hand."""

from pathlib import Path

import pytest

from evals.results import Check
from reports.blocks import Block, Figures, Missing, Prose, Table
from reports.page import render
from reports.sections import latency, validity
from reports.view import build_view
from tests.reports import fixture, judged
from tests.reports.traced import TracedRun, answered, ended


@pytest.fixture
def run(tmp_path: Path) -> TracedRun:
    return TracedRun(tmp_path)


def blocks(run: TracedRun) -> tuple[Block, ...]:
    return latency.build(build_view(run.told()))


def tables(found: tuple[Block, ...]) -> list[Table]:
    return [block for block in found if isinstance(block, Table)]


def texts(table: Table) -> list[list[str]]:
    return [[value.text for value in row] for row in table.rows]


def test_percentiles_with_bounds(run: TracedRun) -> None:
    """Medians 10 and 12 ms: mean 11, s 1.414, t(.95, 1) 6.314: 11 -+ 6.314 = 4.686, 17.314."""
    run.add("closed-1", "variant", [answered(10, 2)] * 3)
    run.add("closed-1", "variant", [answered(12, 2)] * 3)
    (tails,) = tables(blocks(run))
    assert texts(tails) == [["closed-1", "int8-w8a8", "6", "11", "2", "31"]]
    assert tails.rows[0][3].note == "[4.69, 17.3], n\u00a0=\u00a02"
    assert [column.title for column in tails.columns][3:] == ["TTFT p50", "TPOT p50",
                                                              "End to end p50"]  # fmt: skip
    assert "no cell has enough for p90, p99, p99.9" in tails.caption
    last = blocks(run)[-1]
    assert isinstance(last, Prose)
    assert last.text.startswith("All 6 requests that came inside a window and were waited for")


def test_where_a_latency_is_of_fewer_requests_it_says_so(run: TracedRun) -> None:
    one_read = answered(10, 0).model_copy(update={"output_tokens": 1})
    run.add("closed-1", "variant", [answered(10, 2), one_read])
    row = tables(blocks(run))[0].rows[0]
    assert [(value.text, value.note) for value in row][2:5] == [("2", ""), ("10", ""),
                                                                ("2", "of 1")]  # fmt: skip


def test_failures_and_lost_traces_stand_out(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(10, 2), ended("timeout"), ended("client_cancelled")])
    run.add("closed-1", "variant", [answered(11, 2)]).unlink()
    row = tables(blocks(run))[1].rows[0]
    assert [value.text for value in row][2:] == ["1", "1", "0", "0", "0", "1", "traces missing: 1"]
    assert (row[3].tone, row[7].tone) == ("fail", "plain")
    assert row[8].note == "repeat 1"
    assert "is missing" in row[8].exact


def test_all_lost_is_said_and_counts_are_not_zero(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(10, 2)]).unlink()
    missing, endings = blocks(run)
    assert isinstance(missing, Missing)
    assert isinstance(endings, Table)
    assert texts(endings)[0][2:] == ["–"] * 6 + ["traces missing: 1"]


def test_one_drawing_a_latency_and_cell_on_one_axis(run: TracedRun) -> None:
    """TTFT 10 to 800 ms, limit 2000 <= 3 * 800: the axis is 10 to 2000."""
    run.add("closed-1", "variant", [answered(10, 2), answered(20, 2)])
    run.add("closed-1", "baseline", [answered(30, 2)])
    run.add("closed-8", "variant", [answered(800, 2)])
    figures = [block for block in blocks(run) if isinstance(block, Figures)]
    assert [[chart.title for chart in one.charts] for one in figures] == [
        ["closed-1: TTFT, SLO 2000", "closed-8: TTFT, SLO 2000"],
        ["closed-1: TPOT, SLO 100", "closed-8: TPOT, SLO 100"],
        ["closed-1: End to end", "closed-8: End to end"],
    ]
    first = figures[0].charts[0]
    assert first.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == [10, 2000]
    tips = [row["tip"] for row in first.rows if "tip" in row]
    assert tips == ["baseline: 50.0% of 1 within 30 ms", "int8-w8a8: 50.0% of 2 within 15 ms"]
    assert [value.text for value in figures[0].legend] == ["baseline", "int8-w8a8"]


def test_a_latency_of_no_time_is_drawn_where_a_logarithm_is(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(0, 0), answered(10, 2)])
    assert "closed-1: TPOT" in render(build_view(run.told()))


def test_traces_that_nobody_read_are_said(run: TracedRun) -> None:
    run.add("closed-1", "variant", [answered(10, 2)])
    (missing,) = latency.build(build_view(run.untold()))
    assert isinstance(missing, Missing)
    assert "not read for this page" in missing.text


def test_every_reason_of_every_repeat(run: TracedRun) -> None:
    run.add("poisson-1", "variant", [], ("client saturation: p99 send lag 7.10 ms > 5.00 ms",))
    run.add("poisson-1", "variant", [], ("saturated: in flight grew", "server: it was not idle"))
    run.add("poisson-1", "variant", [])
    run.add("poisson-1", "baseline", [])
    metrics = {"send_lag_ms_p99": 7.1, "arrival_dispersion": 0.9, "recovery_ms": 120.0}
    run.change(0, metrics=metrics)
    table, _ = validity.build(build_view(run.told()))
    assert isinstance(table, Table)
    base, int8 = table.rows
    assert [value.text for value in base][2:] == [
        "1 of 1 valid", "–", "not measured", "not measured", "too few requests to tell",
        "not measured"]  # fmt: skip
    assert [value.text for value in int8][2:] == [
        "1 of 3 valid",
        "",
        "7.10 ms",
        "0.900",
        "grew in 1 of 3",
        "120 ms",
    ]
    assert int8[3].note == (
        "repeat 0: client saturation: p99 send lag 7.10 ms > 5.00 ms. "
        "repeat 1: saturated: in flight grew; server: it was not idle"
    )


def test_a_repeat_of_the_baseline_says_beside_whom(run: TracedRun) -> None:
    run.add("closed-1", "baseline", [], ("server: it was not idle",))
    table, _ = validity.build(build_view(run.told()))
    assert isinstance(table, Table)
    assert table.rows[0][3].note == "repeat 0 beside int8-w8a8: server: it was not idle"
    assert table.rows[0][-1].text == "held by the loop"


def test_isolation_is_told_or_said_not_to_be_looked_at(run: TracedRun) -> None:
    run.check(Check(stage="isolation", name="tenants", passed=False, reason="another found 384"))
    _, table = validity.build(build_view(run.told()))
    assert isinstance(table, Table)
    assert texts(table) == [["int8-w8a8", "tenants", "not apart", "another found 384"]]
    _, missing = validity.build(judged.view())
    assert isinstance(missing, Missing)


def test_the_page_holds_them(run: TracedRun) -> None:
    run.add(fixture.CELLS[0], "variant", [answered(10, 2)])
    html = render(build_view(run.told()))
    assert "Latency distributions" in html
    assert "Validity of every cell" in html
