"""A study whose champion is as it was qualified need not run again; what changed is said."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evals.study import Study
from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from reports.certificate.standing import standing_of
from tests.reports import fixture, past
from tests.reports.certificate.promoted import ARTIFACT, RUN, WEIGHTS, make
from variants.home import Home
from variants.kept.registry import Entry, Registry
from variants.kept.store import Store
from variants.specs.spec import Base

NOW = datetime.now(UTC)
CHAMPION = Entry(
    variant="compiled", artifact=ARTIFACT, manifest_sha256="0" * 64, serving_fingerprint="0" * 16,
    decision_sha256="0" * 64, policy_sha256="0" * 64, run=RUN, at="2026-12-01T00:00:00+00:00",
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.delenv(VARIABLE, raising=False)
    made = make(tmp_path)
    issue(made, RUN, NOW)
    Registry(made.channels).move(past.CHANNEL, CHAMPION)
    return made


def base_of_the_run(_: Base) -> str:
    return "b"  # as the made-up run was bound to it


def changed(
    home: Home, study: Study | None = None, at: datetime = NOW, base: str = "b"
) -> tuple[str, ...] | None:
    found = standing_of(home, study or fixture.study(), at, lambda _: base)
    return found.changed if found else None


def test_nothing_has_changed(home: Home) -> None:
    found = standing_of(home, fixture.study(), NOW, base_of_the_run)
    assert found is not None
    assert found.changed == ()
    assert found.words.startswith(
        f"compiled in channel smollm2-135m-instruct@cpu@interactive (run {RUN}) is qualified until "
    )


def test_what_has_changed_is_said(home: Home) -> None:
    assert changed(home, base="c") is not None
    assert changed(home, base="c")[0].endswith("has changed: b was qualified, c is here")  # type: ignore[index]
    late = changed(home, at=NOW + timedelta(days=91))
    assert late is not None
    assert "the certificate expired at " in late[0]
    other = CHAMPION.model_copy(update={"variant": "int8-w8a8", "artifact": "f" * 16})
    Registry(home.channels).move(past.CHANNEL, other)
    assert changed(home) == (f"channel {past.CHANNEL} points to int8-w8a8 of {RUN}",)
    (Store(home.store).folder(ARTIFACT) / WEIGHTS).unlink()
    assert f"artifact {ARTIFACT}: {WEIGHTS} is missing" in (changed(home) or ())


def test_another_study_has_no_certificate(home: Home) -> None:
    changed_study = fixture.study().model_copy(update={"seed": 7})
    assert changed(home, changed_study) is None


def test_a_certificate_that_nobody_trusts_counts_for_nothing(home: Home) -> None:
    path = home.certificate(RUN)
    path.write_text(path.read_text().replace('"sig": "', '"sig": "AA', 1))
    assert changed(home) is None
