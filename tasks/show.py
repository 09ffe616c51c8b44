"""Show what came out in Prefect's pages; what cannot be shown fails nothing."""

from collections.abc import Callable
from pathlib import Path

from prefect.artifacts import create_markdown_artifact, create_table_artifact

from reports.as_markdown import brief
from reports.page import content
from reports.view import View


def show(view: View, report: Path) -> None:
    """Put the decisions and the report's address under keys of the study: Prefect keeps history.

    A key takes lower-case letters, digits and dashes, which is all a study's name has.
    """
    study, run = view.told.study.name, view.told.run
    rows = [
        {"variant": one.variant, "decision": one.outcome, "reason": one.reason}
        for one in view.told.decisions
    ]
    link = f"[Report of {run}](<{report.as_uri()}>)"
    softly(
        "decisions in Prefect",
        lambda: create_table_artifact(key=f"decisions-{study}", table=rows, description=run),
    )
    softly(
        "report in Prefect",
        lambda: create_markdown_artifact(
            key=f"report-{study}", markdown=f"{brief(content(view))}\n{link}\n", description=run
        ),
    )


def softly(what: str, write: Callable[[], object]) -> None:
    """Write something that only shows; its absence is told and fails nothing."""
    try:
        write()
    except Exception as error:  # whatever a server, a disk or an older run can do
        print(f"warning: no {what}: {type(error).__name__}: {error}")
