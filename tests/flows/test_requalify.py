"""Deployed flows answer from what is there: qualified at once, and in order."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.housekeeping import housekeeping
from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from tests.reports import past
from tests.reports.certificate.promoted import RUN, make
from tests.reports.test_garbage import OLD, entry
from variants.home import Home
from variants.kept.registry import Registry
from variants.kept.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    return make(tmp_path)


@pytest.mark.usefixtures("prefect_server")
def test_housekeeping_removes_nothing_when_dry_and_tells_what_expired(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    Store(home.store).build(OLD, lambda folder: {"n": (folder / "w").write_bytes(b"x")})
    issue(home, RUN, datetime(2025, 1, 1, tzinfo=UTC))
    Registry(home.channels).move(past.CHANNEL, entry("e" * 16))
    assert housekeeping(days=0, dry_run=True) > 0
    assert Store(home.store).find(OLD) is not None
    assert housekeeping(days=0) > 0
    assert Store(home.store).find(OLD) is None
