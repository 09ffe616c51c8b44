"""The commands a report shows load the very study that was run."""

from pathlib import Path

import pytest

from evals.study_file import load_study, under_policy
from flows.again import REMARK, asked_as, commands_of
from flows.qualify import STUDIES

NAMED = load_study("smollm2-cpu", STUDIES)


def test_a_study_of_ours_is_asked_for_by_its_name() -> None:
    assert asked_as(NAMED, STUDIES) == ("smollm2-cpu", "")


def test_another_policy_is_part_of_the_command() -> None:
    commands = commands_of(under_policy(NAMED, "standard"), "r1", STUDIES)
    assert commands[:2] == [
        "python -m flows.qualify smollm2-cpu --policy standard",
        "python -m flows.qualify smollm2-cpu --policy standard --resume r1",
    ]


@pytest.mark.parametrize("change", [{"seed": 12345}, {"name": "mine"}, {"policy": "mine.yaml"}])
def test_a_study_that_no_name_stands_for_is_asked_for_by_a_file(change: dict[str, object]) -> None:
    assert asked_as(NAMED.model_copy(update=change), Path(STUDIES)) == ("study.yaml", REMARK)
