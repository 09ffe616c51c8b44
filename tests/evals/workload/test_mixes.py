import pytest
from pydantic import ValidationError

from evals.study import Study
from evals.workload.workload import Workload

LIMITS = {"interactive": (500, 30), "batch": (2000, 100), "long-context": (6000, 175)}


def study(**changes: object) -> Study:
    return Study.model_validate(
        {
            "name": "mixed", "base": "smollm2-135m-instruct", "variants": ["compiled"],
            "workload": {"mix": {"class": "interactive", "rate": 2}}, **changes,
        }
    )  # fmt: skip


@pytest.mark.parametrize("service_class", LIMITS)
def test_a_mix_brings_cells_class_and_limits(service_class: str) -> None:
    """MLPerf: llama3.1-8b-interactive 500/30 ms, llama3.1-8b 2000/100, llama3.1-405b 6000/175."""
    made = study(
        workload={"mix": {"class": service_class, "rate": 2, "closed": 4}},
        objective={"cell": "closed-1-long-in" if service_class == "long-context" else "closed-1"},
    )
    assert made.service_class == service_class
    assert (made.slo.ttft_ms, made.slo.tpot_ms) == LIMITS[service_class]
    assert made == Study.model_validate_json(made.model_dump_json())
    judged = [cell for cell in made.workload.cells if cell.judged]
    assert {cell.is_open for cell in judged} >= {False}
    assert len(made.workload.cells) >= 6


def test_the_interactive_mix_by_name() -> None:
    assert [cell.name for cell in study().workload.cells] == [
        "closed-1", "closed-8", "poisson-2", "gamma-2-cv3", "poisson-2-shared",
        "poisson-2-4-turns", "poisson-2-mixed-in",
    ]  # fmt: skip


def test_what_the_study_says_itself_holds() -> None:
    made = study(slo={"ttft_ms": 900}, service_class="batch")
    assert (made.slo.ttft_ms, made.service_class) == (900, "batch")
    more = {"mix": {"class": "batch", "rate": 1}, "cells": [{"closed": 3}]}
    assert Workload.model_validate(more).cells[-1].name == "closed-3"


def test_an_unknown_mix_is_refused() -> None:
    with pytest.raises(ValidationError, match="'interactive', 'batch' or 'long-context'"):
        study(workload={"mix": {"class": "offline", "rate": 2}})


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ({"mix": {"class": ["x"], "rate": 2}}, "'interactive', 'batch' or 'long-context'"),
        ({"mix": {"class": "batch", "rate": 2}, "cells": 3}, "are no list"),
    ],
)
def test_wrong_types_are_refused(workload: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        study(workload=workload)
    assert study(workload={"mix": {"class": "interactive", "rate": 2}, "cells": None})
