"""A run told again from its files alone is the run as it was told."""

import json
from pathlib import Path

import pytest

from evals.results import Cell, SuiteResult
from reports.page import main, render
from reports.retold import UNRECORDED, hardware_facts, told_of
from reports.view import build_view
from tests.reports import fixture, judged, past
from tests.reports.past import FIRST, SECOND
from variants.errors import LedgerError
from variants.home import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    return past.make(tmp_path / "home")


def test_the_round_trip(home: Home) -> None:
    told = told_of(home, FIRST, fixture.AT)
    assert told.study == fixture.study()
    assert told.base.source == fixture.BASE.source
    assert told.decisions == past.decisions(FIRST)
    assert told.promotion is not None
    assert (told.promotion.variant, told.promotion.action) == ("compiled", "move")
    assert told.stages == judged.STAGES  # from the end: the run's folder holds no timeline
    assert told.commands == ("python -m flows.qualify smollm2-cpu",)
    assert dict(told.machine)["Tools"] == "gguf 0.19.0, torch 2.13.0"
    assert told.unreadable == ()
    view = build_view(told)
    assert [one.name for one in view.variants] == [one.variant for one in told.decisions]
    compiled = view.variants[0]
    assert len(compiled.payloads(Cell)) == 4 * 5  # cells x repeats of the variant's arm
    assert {one.suite for one in compiled.payloads(SuiteResult)} == {
        "continuation-choice", "tool-calling",
    }  # fmt: skip
    assert "+23.7 %" in render(view)


def test_the_machine_in_words() -> None:
    facts = dict(hardware_facts(past.HARDWARE))
    assert facts["Memory"] == "24.0 GiB"
    assert facts["Instruction sets"] == "amx_int8, avx2"
    assert facts["Accelerators"] == "G, 16.0 GiB, compute capability 9.0, driver 1, u"


def test_what_an_earlier_version_did_not_record_is_said(home: Home) -> None:
    told = told_of(home, SECOND)
    assert (told.machine, told.commands, told.stages) == (UNRECORDED, (), ())
    assert told.promotion is None
    html = render(build_view(told))
    assert "not recorded: the run was begun by an earlier version" in html
    assert "No command to reproduce this run was recorded." in html


def test_a_resumed_run_is_told_by_its_last_decision(home: Home) -> None:
    again = past.decisions(FIRST)[0].model_copy(update={"reason": "judged again"})
    past.file_entry(home, FIRST, "compiled", "entry.decision", again)
    assert told_of(home, FIRST).decisions[0].reason == "judged again"


def test_a_variant_that_was_never_judged_is_told(home: Home) -> None:
    for path in (home.store / "evidence" / SECOND / "compiled").glob("entry.decision-*"):
        path.unlink()
    view = build_view(told_of(home, SECOND))
    assert view.variants[0].name == "compiled"
    assert view.variants[0].decision is None
    assert "NOT JUDGED" in render(view)


def test_the_command_writes_three_files(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([FIRST, "--to", str(tmp_path / "out")]) == 0
    assert "4 decisions" in capsys.readouterr().out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"report.html", "report.json", "report.md"}
    assert main([SECOND]) == 0
    assert (home.report(SECOND) / "report.md").is_file()


def test_what_cannot_be_told(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run-9"]) == 1
    said = capsys.readouterr().err
    assert f"error: no run 'run-9' in {home.root}; there are ['{FIRST}', '{SECOND}']" in said
    assert main([f"../runs/{FIRST}"]) == 1
    assert "error: no run '../runs/" in capsys.readouterr().err
    past.file_measurements(home, "smollm2-cpu-undecided")
    assert main(["smollm2-cpu-undecided"]) == 1
    assert "nothing was decided" in capsys.readouterr().err


def test_a_decision_of_another_version_is_one_line(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = json.loads(past.decisions(FIRST)[0].model_dump_json())
    fields["colour"] = "green"
    text = json.dumps(fields)
    store = past.Store(home.store)
    store.put_evidence(FIRST, "compiled", "entry.decision", text)
    assert main([FIRST]) == 1
    said = capsys.readouterr().err
    assert "is no Decision that this version can read (colour: Extra inputs" in said
    assert len(said.splitlines()) == 1


def test_a_damaged_decision_is_named(home: Home) -> None:
    path = past.file_entry(home, FIRST, "compiled", "entry.decision", past.decisions(FIRST)[0])
    path.write_text(path.read_text().replace("PROMOTE", "REJECT"))
    with pytest.raises(LedgerError, match=rf"{path.name} does not verify"):
        told_of(home, FIRST)


def test_a_record_that_cannot_be_read_is_told(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next((home.store / "evidence" / FIRST / "compiled").glob("memory-*.json"))
    path.write_text("{}")
    assert main([FIRST, "--to", str(tmp_path)]) == 0
    assert "warning: not in the report, cannot be read: compiled/memory" in capsys.readouterr().err
    page = (tmp_path / "report.html").read_text()
    assert page.index("Recorded, and not read") < page.index("compiled/memory")


def test_a_decision_on_what_the_study_does_not_make(home: Home) -> None:
    odd = past.decisions(FIRST)[0].model_copy(update={"variant": "renamed"})
    past.file_entry(home, FIRST, "renamed", "entry.decision", odd)
    with pytest.raises(LedgerError, match=r"decided on \['renamed'\]"):
        told_of(home, FIRST)
