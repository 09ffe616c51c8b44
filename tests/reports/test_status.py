"""How runs stand: ended, under way with the time left, stopped."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reports.kept.entries import RunEnd
from reports.status import main, standings
from tests.reports import fixture, past
from variants.home import Home

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """One run ended after an hour; one began 45 minutes ago and wrote something just now."""
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path))
    home = Home(tmp_path)
    for run in (past.FIRST, past.SECOND):
        past.file_measurements(home, run)
    began = past.setting(past.SECOND).model_copy(
        update={"at": (NOW - timedelta(minutes=45)).isoformat()}
    )
    past.file_entry(home, past.SECOND, "study", "entry.setting", began)
    end = RunEnd(
        study=fixture.STUDY, run=past.FIRST, started_at="2026-11-29T17:00:00+00:00",
        ended_at="2026-11-29T18:00:00+00:00", exit_code=10,
    )  # fmt: skip
    past.file_entry(home, past.FIRST, "study", "entry.end", end)
    return home


def touch(home: Home, run: str, at: datetime) -> None:
    for folder in (home.store / "evidence" / run, home.run(run)):
        for path in folder.rglob("*"):
            if path.is_file():
                os.utime(path, (at.timestamp(),) * 2)


def words(home: Home) -> list[str]:
    return [one.words(NOW) for one in standings(home, NOW)]


def test_under_way_with_the_time_left_by_earlier_runs(home: Home) -> None:
    touch(home, past.SECOND, NOW - timedelta(seconds=20))
    newest, oldest = words(home)
    assert newest == (
        f"{past.SECOND}: 0 of 4 variants decided, under way: said something 20 s ago, about 15 "
        "minutes left"
    )
    assert oldest == f"{past.FIRST}: 0 of 4 variants decided, ended 2026-11-29 18:00: all rejected"


def test_one_that_says_nothing_any_more_was_stopped(home: Home) -> None:
    touch(home, past.SECOND, NOW - timedelta(hours=2))
    assert f"stopped at 2026-12-01 10:00; go on with --resume {past.SECOND}" in words(home)[0]


def test_the_command_tells_all_or_one(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main([past.FIRST]) == 0
    assert main(["gone"]) == 1
    assert "no run 'gone'" in capsys.readouterr().err
