"""The section on cliffs: one row a level and arm, and where each arm breaks."""

from evals.results import SuiteResult
from reports.blocks import Figures, Missing, Table
from reports.sections.cliffs import SECTION
from reports.view import Told, View, build_view
from tests.reports import fixture, judged


def tables(view: View) -> list[Table]:
    return [block for block in SECTION.build(view) if isinstance(block, Table)]


def test_break_points_and_what_is_found() -> None:
    """Of 25, int4 has 20 right with 1 tool: halfway to chance is 16.7 + (80 - 16.7) / 2 = 48.3 %.

    With 4 tools it has 15, with 8 it has 7: at most 46 %. The others keep 13 and more.
    """
    breaks, _ = tables(judged.view())
    told = {row[1].text: [cell.text for cell in row[2:]] for row in breaks.rows}
    assert told["baseline"] == ["none seen", "–"]
    assert told["int8-w8a8"] == [
        "none seen", "breaks nowhere up to 32 tools offered, the baseline nowhere up to 32",
    ]  # fmt: skip
    assert told["int4-w4a16-channel"] == [
        "8 tools offered", "breaks at 8 tools offered, the baseline nowhere up to 32",
    ]  # fmt: skip
    assert {row[3].tone for row in breaks.rows if row[1].text.startswith("int4")} == {"fail"}


def test_every_level_has_a_row_for_every_arm() -> None:
    _, levels = tables(judged.view())
    assert "cliff-tools (artifact), by tools offered" in levels.caption
    assert [row[0].text for row in levels.rows] == [
        level for level in ("1", "2", "4", "8", "16", "32") for _ in range(3)
    ]
    last = {row[1].text: [cell.text for cell in row[2:]] for row in levels.rows[-3:]}
    assert last["baseline"] == ["25", "60 %", "–", "+24.0 points"]  # 21 - 15 of 25
    assert last["int4-w4a16-channel"] == ["25", "8 %", "+52.0 points", "+72.0 points"]
    assert levels.rows[0][5].text == "–"


def test_one_chart_an_axis_with_all_arms() -> None:
    (figures,) = (one for one in SECTION.build(judged.view()) if isinstance(one, Figures))
    assert [value.text for value in figures.legend] == [
        "baseline", "int8-w8a8", "int4-w4a16-channel",
    ]  # fmt: skip
    (chart,) = figures.charts
    assert len(chart.rows) == 3 * 6


def test_other_items_are_shown_and_not_compared() -> None:
    evidence = tuple(
        one.model_copy(
            update={
                "records": tuple(
                    record.model_copy(update={"payload": shorter(record.payload)})
                    if record.variant == "int8-w8a8" and record.step == "suite-cliff-tools"
                    else record
                    for record in one.records
                )
            }
        )
        for one in fixture.evidence()
    )
    told = Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, evidence, ())
    breaks, levels = tables(build_view(told))
    assert [row[3].text for row in breaks.rows if row[1].text == "int8-w8a8"] == ["–"]
    assert len([row for row in levels.rows if row[1].text == "int8-w8a8"]) == 5


def shorter(payload: object) -> object:
    """Leave the highest level out."""
    assert isinstance(payload, SuiteResult)
    kept = tuple(one for one in payload.samples if one.level != 32)
    return payload.model_copy(update={"samples": kept, "num_issued": len(kept)})


def test_no_axis_is_told_as_missing() -> None:
    told = Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, (), ())
    (block,) = SECTION.build(build_view(told))
    assert isinstance(block, Missing)
