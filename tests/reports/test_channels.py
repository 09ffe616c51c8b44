"""Channels by hand: undone, forced, and told; nothing moves that is not whole."""

from pathlib import Path

import pytest

from evals.results import Artifact
from reports.across.champions import champion_part
from reports.across.linking import Links
from reports.across.past import past_runs
from reports.blocks import Table
from reports.channels import main
from reports.kept.entries import Promotion
from reports.kept.recorder import Recorder
from reports.kept.run_files import entries_of
from reports.ledger import Ledger
from reports.retold import told_of
from reports.sections.decisions import SECTION
from reports.view import build_view
from reports.words.summary import summarize
from tests.reports import fixture, past
from tests.reports.certificate.promoted import ARTIFACT, RUN, WEIGHTS, make, write_artifact
from variants.home import Home
from variants.kept.registry import Entry, Registry
from variants.kept.store import Store

CHANNEL = str(past.CHANNEL)
BY = ("--who", "Ada", "--why", "the pager rang")
CHAMPION = Entry(
    variant="compiled", artifact=ARTIFACT, manifest_sha256="0" * 64, serving_fingerprint="0" * 16,
    decision_sha256="0" * 64, policy_sha256="0" * 64, run=RUN, at="2026-12-01T00:00:00+00:00",
)  # fmt: skip
NEXT = CHAMPION.model_copy(update={"variant": "int8-w8a8", "artifact": "f" * 16})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path))
    made = make(tmp_path)
    Registry(made.channels).move(past.CHANNEL, CHAMPION)
    Registry(made.channels).move(past.CHANNEL, NEXT)
    return made


def champion(home: Home) -> str:
    channel = Registry(home.channels).read(past.CHANNEL)
    assert channel is not None
    return channel.champion.variant


def test_undo_restores_the_champion_before(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["undo", CHANNEL, *BY, "--dry-run"]) == 0
    assert champion(home) == "int8-w8a8"
    assert capsys.readouterr().out.startswith("would move channel")
    assert main(["undo", CHANNEL, *BY]) == 0
    assert champion(home) == "compiled"
    (moved,) = [one for one in entries_of(home, RUN, Promotion) if one.action == "undo"]
    assert moved.reason == "Ada: the pager rang"
    with Ledger(home.ledger) as ledger:
        assert ledger.query("select action, variant from promotions") == [
            {"action": "undo", "variant": "compiled"}
        ]
    assert main(["list"]) == 0
    assert main(["history", CHANNEL]) == 0
    told = capsys.readouterr().out
    assert f"{CHANNEL}: compiled since " in told
    assert "before: int8-w8a8" in told
    assert "undo      compiled" in told


def test_what_is_forced_is_recorded_and_told_in_red(home: Home) -> None:
    past.file_entry(home, RUN, "int8-w8a8", "entry.decision", past.decisions(RUN)[1])
    records = Recorder(Store(home.store), fixture.study(), RUN).records()
    (built,) = [
        record.payload.fingerprint
        for _, record in records
        if record.variant == "int8-w8a8" and isinstance(record.payload, Artifact)
    ]
    Store(home.store).build(built, write_artifact)
    assert main(["force", CHANNEL, RUN, "int8-w8a8", *BY]) == 0
    view = build_view(told_of(home, RUN))
    assert summarize(view).headline == "int8-w8a8 was put in by hand, past the gates"
    tables = [block for block in SECTION.build(view) if isinstance(block, Table)]
    assert (tables[1].rows[0][0].text, tables[1].rows[0][0].tone) == ("FORCED", "fail")
    assert tables[1].rows[0][1].text == "Ada: the pager rang"
    part = champion_part(past_runs(home), Links(home, home.reports))
    (moves,) = [block for block in part.blocks if isinstance(block, Table)]
    assert moves.rows[0][1].tone == "fail"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["undo", "nowhere", *BY], "'nowhere' is no channel"),
        (["undo", "a@b@c", *BY], "has no champion before this one"),
        (["force", CHANNEL, RUN, "other", *BY], "not on 'other'"),
        (["force", CHANNEL, "gone", "other", *BY], "no run 'gone'"),
    ],
)
def test_what_cannot_be_moved_is_said(
    home: Home, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert told in capsys.readouterr().err
    assert champion(home) == "int8-w8a8"


def test_nothing_goes_back_to_what_is_not_whole(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    (Store(home.store).folder(ARTIFACT) / WEIGHTS).write_bytes(b"weighty")
    assert main(["undo", CHANNEL, *BY]) == 1
    assert "is not whole" in capsys.readouterr().err
    assert champion(home) == "int8-w8a8"


def test_who_and_why_are_asked(home: Home) -> None:
    with pytest.raises(SystemExit):
        main(["undo", CHANNEL])
