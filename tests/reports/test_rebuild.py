"""`python -m reports.rebuild`: one at a time, never over a ledger in use, nothing lost."""

from pathlib import Path

import pytest
from filelock import FileLock

from reports.ledger import Ledger
from reports.rebuild import main
from tests.reports.test_ledger import child, content, write_evidence


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "store" / "evidence" / "run" / "variant"
    folder.mkdir(parents=True)
    write_evidence(folder)
    return tmp_path


def test_the_ledger_before_is_kept_each_time(home: Path) -> None:
    assert main(["--home", str(home)]) == 0
    first = content(home / "ledger.duckdb")
    assert main(["--home", str(home)]) == main(["--home", str(home)]) == 0
    assert content(home / "ledger.duckdb") == first
    kept = sorted(home.glob("ledger.before-*"))
    assert [content(path) == first for path in kept] == [True, True]


def test_without_evidence_the_ledger_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(home)]) == 0
    before = (home / "ledger.duckdb").read_bytes()
    (home / "store" / "evidence").rename(home / "elsewhere")
    assert main(["--home", str(home)]) == 1
    assert "holds no evidence" in capsys.readouterr().err
    assert (home / "ledger.duckdb").read_bytes() == before


def test_two_rebuilds_are_one_and_a_refusal(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FileLock(home / "ledger.rebuild-lock"):
        assert main(["--home", str(home)]) == 1
    assert "another rebuild" in capsys.readouterr().err
    assert not (home / "ledger.duckdb").exists()


def test_a_ledger_in_use_is_not_replaced(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(home)]) == 0
    holder = child(home / "ledger.duckdb", "    print('open', flush=True)\n    time.sleep(60)\n")
    try:
        assert main(["--home", str(home)]) == 1
        assert f"held by process {holder.pid}" in capsys.readouterr().err
    finally:
        holder.kill()
        holder.wait()


@pytest.mark.parametrize("given", ["", "/nowhere/at/all"])
def test_a_home_that_is_none_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", given]) == 1
    assert "is no folder" in capsys.readouterr().err


def test_a_broken_ledger_is_replaced(home: Path) -> None:
    (home / "ledger.duckdb").write_text("garbage\n" * 1000)
    assert main(["--home", str(home)]) == 0
    with Ledger(home / "ledger.duckdb", read_only=True) as ledger:
        assert ledger.query("SELECT count(*) AS n FROM decisions")[0]["n"]
