"""What nobody needs goes; what a channel or a certificate needs stays, however old it is."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from reports.garbage import garbage_of, main
from tests.reports import past
from tests.reports.certificate.promoted import ARTIFACT, RUN, make, write_artifact
from variants.errors import PromotionError
from variants.home import Home
from variants.kept.registry import Entry, Registry
from variants.kept.store import Store

NOW = datetime.now(UTC)
OLD, YOUNG, CHAMPION, BEFORE = "a" * 16, "b" * 16, "c" * 16, "d" * 16


def entry(artifact: str) -> Entry:
    return Entry(
        variant="compiled", artifact=artifact, manifest_sha256="0" * 64,
        serving_fingerprint="0" * 16, decision_sha256="0" * 64, policy_sha256="0" * 64, run=RUN,
        at="2026-12-01T00:00:00+00:00",
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Everything in the store is a year old, but one artifact."""
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    made = make(tmp_path)
    store = Store(made.store)
    for name in (OLD, YOUNG, CHAMPION, BEFORE):
        store.build(name, write_artifact)
        if name != YOUNG:
            os.utime(store.folder(name), (NOW.timestamp() - 365 * 86400,) * 2)
    os.utime(store.folder(ARTIFACT), (NOW.timestamp() - 365 * 86400,) * 2)
    issue(made, RUN, NOW)
    for name in (BEFORE, CHAMPION):
        Registry(made.channels).move(past.CHANNEL, entry(name))
    return made


def names(home: Home, at: datetime = NOW) -> list[str]:
    return [one.name for one in garbage_of(home, at)]


def test_only_what_nobody_needs_is_garbage(home: Home) -> None:
    assert names(home) == [OLD]
    late = NOW + timedelta(days=91)  # the certificate has expired, and the young one is old
    assert names(home, late) == [ARTIFACT, OLD, YOUNG]


def test_nothing_is_removed_unless_it_is_asked(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 0
    assert "1 artifacts could go" in capsys.readouterr().out
    assert Store(home.store).find(OLD) is not None
    assert main(["--remove"]) == 0
    assert "removed 1 artifacts" in capsys.readouterr().out
    assert Store(home.store).find(OLD) is None
    assert Store(home.store).find(ARTIFACT) is not None
    assert main(["--days", "-1"]) == 1


def test_what_cannot_be_told_is_not_removed(home: Home) -> None:
    channel = next(home.channels.glob("*.json"))
    channel.write_text("{}")
    with pytest.raises(PromotionError):
        names(home)
