"""Runs by their entries: when they began, and what stood promoted at their end."""

from datetime import UTC, datetime

import pytest

from evals.gates.decision import Decision
from reports.across.past import PastRun, minute
from reports.kept.entries import Promotion
from tests.reports import judged


def run(*actions: str) -> PastRun:
    moves = tuple(
        Promotion.model_validate(judged.PROMOTION.model_dump() | {"action": action})
        for action in actions
    )
    decisions: dict[str, Decision] = {}
    return PastRun("s-20261129T174017-aa01", None, None, None, decisions, moves)


@pytest.mark.parametrize(
    ("actions", "stands"),
    [((), False), (("move",), True), (("move", "rollback"), False), (("rollback",), False),
     (("rollback", "move"), True), (("confirm",), True)],
)  # fmt: skip
def test_what_stands_promoted(actions: tuple[str, ...], stands: bool) -> None:
    assert (run(*actions).promoted is not None) == stands


def test_the_study_of_a_run_that_cannot_be_read() -> None:
    assert run().study_name == "s"


def test_minutes_are_utc() -> None:
    assert minute("2026-11-29T18:02:11+01:00") == "2026-11-29 17:02"
    assert minute(datetime(2026, 11, 29, 18, 2, tzinfo=UTC)) == "2026-11-29 18:02"
    assert minute(None) == "not recorded"
