"""What a study can never answer is said before the hours, and never of a study that can."""

import pytest

from evals.gates import load_policy
from evals.planning.answerable import unanswerable
from evals.study import Study
from evals.study_file import load_study, under_policy
from flows.qualify import STUDIES

DEFAULT = load_study("smollm2-cpu", STUDIES)


@pytest.mark.parametrize("study", sorted(one.stem for one in STUDIES.glob("smollm2-*.yaml")))
def test_our_own_studies_can_be_answered(study: str) -> None:
    loaded = load_study(study, STUDIES)
    assert unanswerable(loaded, load_policy(loaded.policy)) == ()


def test_the_worked_example() -> None:
    closed = {"cells": [{"closed": 1}], "repeats": 5}
    fields = DEFAULT.model_dump() | {"suites": ["continuation-choice"], "workload": closed}
    told = unanswerable(Study.model_validate(fields), load_policy("quick"))
    assert "gate tool-calling stays open: suite tool-calling is not asked, only " in told[-1]
    assert "gate attainment stays open: the study has no cell for attainment (cells: open)" in told


def test_too_few_repeats() -> None:
    workload = DEFAULT.workload.model_copy(update={"repeats": 3})
    told = unanswerable(DEFAULT.model_copy(update={"workload": workload}), load_policy("quick"))
    assert "gate tpot stays open: 5 repeats are asked, the study has 3" in told


def test_a_study_under_a_policy_asks_what_that_needs() -> None:
    assert unanswerable(under_policy(DEFAULT, "standard"), load_policy("standard")) == ()
