from typing import Any

import pytest

from evals.planning.serving import Circumstances, check_serving
from variants.specs.spec import Base, Compilation, Serving, Speculation

HERE = Circumstances("cpu", {"vocab_size": 49152}, ("short-answers",))
DRAFT = Base(source="file:///draft", sha256="0" * 64)
GRAPHS = Serving(mode="compiled", compilation=Compilation(graph_sizes=(1, 2, 4)))
NGRAM = Serving(speculation=Speculation())
MTP = Serving(speculation=Speculation(method="mtp"))
SMALLER = Serving(speculation=Speculation(method="draft_model", draft=DRAFT))


def verdicts(serving: Serving, **changes: Any) -> dict[str, bool | None]:
    fields = {name: getattr(HERE, name) for name in Circumstances.__slots__} | changes
    return {one.name: one.passed for one in check_serving(serving, Circumstances(**fields))}


def test_plain_serving_is_asked_nothing() -> None:
    assert verdicts(Serving()) == {}
    assert verdicts(Serving(mode="compiled", compilation=Compilation(level=3))) == {}


def test_graphs_are_refused_where_none_are_captured() -> None:
    assert verdicts(GRAPHS) == {"graph-sizes": False}
    assert verdicts(GRAPHS, target="cuda") == {"graph-sizes": True}
    (check,) = check_serving(GRAPHS, HERE)
    assert "leave out graph_sizes, or set target: cuda" in check.reason


def test_speculation_needs_a_suite_answered_in_writing() -> None:
    assert verdicts(NGRAM) == {"speculation-suites": True}
    assert verdicts(NGRAM, written_suites=()) == {"speculation-suites": False}
    no_suites = Circumstances("cpu", {}, ())
    (check,) = check_serving(NGRAM, no_suites)
    assert check.stage == "plan"
    assert "add one, for instance short-answers" in check.reason


@pytest.mark.parametrize(
    ("config", "passed"),
    [
        ({}, False),
        ({"num_nextn_predict_layers": 0}, False),
        ({"num_nextn_predict_layers": 1}, True),
    ],
)
def test_prediction_layers_must_be_there(config: dict[str, object], passed: bool) -> None:
    assert verdicts(MTP, config=config)["speculation-draft"] is passed


def test_a_draft_speaks_the_same_tokens() -> None:
    same, other = {"vocab_size": 49152}, {"vocab_size": 32000}
    assert verdicts(SMALLER, draft_config=same)["speculation-draft"] is True
    assert verdicts(SMALLER, draft_config=other)["speculation-draft"] is False
    *_, check = check_serving(SMALLER, Circumstances("cpu", same, ("x",), other))
    assert "the draft has a vocabulary of 32,000, the base one of 49,152" in check.reason
