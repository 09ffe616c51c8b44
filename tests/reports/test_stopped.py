"""Who was not promoted, and where each variant wins: two tables of the fixture by hand."""

from evals.results import Check
from evals.workload.cell import CellSpec
from reports.blocks import Missing, Prose, Verbatim
from reports.sections import envelope, stopped
from tests.reports import judged
from tests.reports.building import decided, empty, notes, rows, study_of, table, view_of


def test_everyone_not_promoted_has_a_row() -> None:
    found = rows(table(stopped.SECTION.build(judged.view())))
    assert [row[1:3] for row in found] == [
        ["HOLD", "not stopped"], ["REJECT", "not stopped"], ["REJECT", "pace"], ["REJECT", "build"],
    ]  # fmt: skip
    gates = [line[2] for line in notes(table(stopped.SECTION.build(judged.view())))]
    assert gates[:2] == ["gate: tool-calling", "gate: continuation-choice"]
    assert found[0][4].startswith("tool-calling: about 710 items instead of 400")
    assert found[2][4].startswith("Mend what its own words below name")


def test_own_words_are_kept_verbatim() -> None:
    words = [one for one in stopped.SECTION.build(judged.view()) if isinstance(one, Verbatim)]
    assert [one.label for one in words[:3]] == [
        "int8-w8a8, the gate's own words", "int4-w4a16-channel, the gate's own words",
        "fp8-dynamic, pace: first-token-deadline failed",
    ]  # fmt: skip
    assert "ChannelWiseTorchFP8ScaledMMLinearKernel" in words[2].text


def test_a_variant_nobody_judged_and_a_look_nobody_could_take() -> None:
    look = Check(stage="identity", name="engine", passed=None, reason="no answer yet")
    row, words = (
        stopped.SECTION.build(view_of(study_of(), {"baseline": (), "fast": [look]}))[at]
        for at in (0, 1)
    )
    assert rows(table([row]))[0][1:] == [
        "NOT JUDGED", "–", "The run ended before it was judged.",
        "Resume the run: what was measured is kept.",
    ]  # fmt: skip
    assert words == Verbatim("fast, identity: engine could not be looked at", "no answer yet")


def test_all_promoted() -> None:
    view = view_of(study_of(), {"baseline": (), "fast": ()}, [decided("fast", "PROMOTE")])
    (block,) = stopped.SECTION.build(view)
    assert isinstance(block, Missing)


def test_cells_are_counted_and_named() -> None:
    found = table(envelope.SECTION.build(judged.view()))
    assert rows(found) == [
        ["compiled", "1 of 2", "0 of 2", "1 of 2", "2 of 2"],
        ["int4-w4a16-channel", "0 of 1", "1 of 1", "0 of 1", "0 of 1"],
    ]
    assert notes(found)[0] == ["", "closed-1", "", "closed-8", "closed-1, closed-8"]
    matrix = table(envelope.SECTION.build(judged.view()), 1)
    assert notes(matrix)[0][1].startswith("qualified; time per output token 23.7 % better")


def test_cells_that_are_only_shown_are_no_column() -> None:
    cells = (CellSpec(closed=1), CellSpec(constant=2, judged=False))
    standing = judged.CELLS["compiled"][:1]
    decision = decided("fast", "PROMOTE", cells=standing)
    blocks = envelope.SECTION.build(view_of(study_of(*cells), {"fast": ()}, [decision]))
    assert [column.title for column in table(blocks, 1).columns] == ["Variant", "closed-1"]
    assert isinstance(blocks[-1], Prose)
    assert blocks[-1].text.endswith("constant-2 (2 requests a second, evenly).")


def test_no_cell_judged() -> None:
    (block,) = envelope.SECTION.build(empty())
    assert isinstance(block, Missing)
    assert "workload.cells" in block.text
