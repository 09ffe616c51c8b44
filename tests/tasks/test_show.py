"""Prefect's pages: keys of the study, and nothing fails where they cannot be written."""

from pathlib import Path
from typing import Any

import pytest
from prefect.client.schemas.actions import ArtifactCreate

from tasks import show as module
from tests.reports import judged
from variants.errors import LedgerError

REPORT = Path("/home/someone/reports/run/report.html")


@pytest.fixture
def created(monkeypatch: pytest.MonkeyPatch) -> list[ArtifactCreate]:
    """Take what would be sent, checked as the client checks it."""
    found: list[ArtifactCreate] = []

    def take(key: str, description: str, **content: Any) -> None:
        found.append(ArtifactCreate(key=key, description=description, data=content))

    monkeypatch.setattr(module, "create_table_artifact", take)
    monkeypatch.setattr(module, "create_markdown_artifact", take)
    return found


def test_decisions_and_the_link_stand_under_keys_of_the_study(
    created: list[ArtifactCreate],
) -> None:
    module.show(judged.view(), REPORT)
    table, report = created
    assert (table.key, report.key) == ("decisions-smollm2-cpu", "report-smollm2-cpu")
    content: Any = [table.data, report.data]
    assert len(content[0]["table"]) == 5
    markdown = content[1]["markdown"]
    assert "**PROMOTE**" in markdown
    assert "[Report of 20261129-174017](<file:///home/someone/reports/run/report.html>)" in markdown
    assert "<script" not in markdown


@pytest.mark.parametrize("error", [LedgerError("x"), OSError("x"), RuntimeError("x")])
def test_what_cannot_be_shown_is_told_and_fails_nothing(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(module, "create_table_artifact", fail)
    monkeypatch.setattr(module, "create_markdown_artifact", fail)
    module.show(judged.view(), REPORT)
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"warning: no {what} in Prefect: {type(error).__name__}: x"
        for what in ("decisions", "report")
    ]
