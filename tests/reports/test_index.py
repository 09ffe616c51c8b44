"""The index: every study, run, decision and champion of a home, linked, and hostile words inert."""

from pathlib import Path

import pytest

from reports.index import main, write_index
from tests.reports import past
from tests.reports.past import FIRST, SECOND
from tests.reports.test_ledger import child
from tests.reports.test_page import Shape
from variants.home import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    return past.make(tmp_path / "home")


def test_every_run_and_decision_is_told(home: Home) -> None:
    html = write_index(home).read_text()
    assert "<h1>1 study, 2 runs</h1>" in html
    assert "Champion now: compiled." in html
    table = html[html.index('id="study-1"') :]
    assert table.index(SECOND) < table.index(FIRST)  # the newest first
    for words in (
        "began 2026-11-29 17:40", "promoted or confirmed", "2026-11-29 18:02",
        "began 2026-11-30 09:00; no report is written", "no end is recorded",
        "PROMOTE", "HOLD", "REJECT", "+23.7 % [+21.7, +25.6], n\u00a0=\u00a05",
    ):  # fmt: skip
        assert words in table, words


def test_the_champion_and_its_history(home: Home) -> None:
    html = write_index(home).read_text()
    champions = html[: html.index('id="study-1"')]
    said = f"champion is compiled (artifact {'0' * 16}) since 2026-11-29 18:02, from run {FIRST}."
    assert said in champions
    assert "moved to compiled" in champions
    trend = html[html.index('id="study-1"') :]
    assert "Gain in tpot_ms" in trend
    assert "compiled, the champion, in numbers" in trend


def test_links_are_relative_and_nothing_is_asked_of_a_network(home: Home, tmp_path: Path) -> None:
    shape = Shape(write_index(home).read_text())
    links = {link for link in shape.values("href") if not link.startswith(("#", "data:"))}
    assert links == {f"{FIRST}/report.html"}
    assert (home.reports / links.pop()).is_file()
    elsewhere = write_index(home, tmp_path / "out")
    far = [link for link in Shape(elsewhere.read_text()).values("href") if "report" in link]
    assert set(far) == {f"../home/reports/{FIRST}/report.html"}
    assert (elsewhere.parent / far[0]).is_file()
    assert shape.tags.count("script") == 1
    assert not {"img", "iframe", "object", "embed", "b"} & set(shape.tags)


def test_a_held_ledger_does_not_matter(home: Home) -> None:
    holder = child(home.ledger, "    print('open', flush=True)\n    time.sleep(60)\n")
    try:
        assert main([]) == 0
    finally:
        holder.kill()
        holder.wait()


def test_what_cannot_be_read_is_named_beside_its_run(home: Home) -> None:
    past.file_entry(home, SECOND, "compiled", "entry.decision", past.setting(SECOND))
    html = write_index(home).read_text()
    assert "cannot be read in full" in html
    assert "is no Decision that this version can read" in html
    assert "+23.7 %" in html  # of the run that can


def test_a_run_that_only_began_is_listed(home: Home) -> None:
    past.file_measurements(home, "other-20261201T101112-cc03")
    html = write_index(home).read_text()
    assert "began 2026-12-01 10:11" in html
    assert "2 studies" not in html  # its study is the same, whatever the run is called


def test_a_broken_channel_is_told(home: Home) -> None:
    (home.channels / f"{past.CHANNEL}.json").write_text("{}")
    html = write_index(home).read_text()
    assert "its file cannot be read" in html
    assert "Champion now: none." in html


def test_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "empty"))
    assert main([]) == 1
    assert "error: there is no run in" in capsys.readouterr().err
    assert not (tmp_path / "empty").exists()
