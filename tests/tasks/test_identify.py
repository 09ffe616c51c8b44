"""A machine that stalls once, or an engine that compiles at first use, rejects no variant."""

from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from evals.results import Check
from evals.study import Study
from tasks import identify as module
from tasks import serve
from variants.errors import EngineError

STUDY = Study.model_validate(
    {
        "name": "small", "base": "smollm2-135m-instruct", "variants": ["compiled"],
        "workload": {"cells": [{"closed": 1}], "repeats": 2},
        "first_token_deadline_s": 3.0, "start_deadline_s": 70.0,
    }
)  # fmt: skip
STALL = EngineError("gave no answer within 3 s")


class Endpoint:
    """Answers at once, except where `answers` raises; keeps what it was asked and how long."""

    def __init__(self, answers: Callable[[int], Any]) -> None:
        self.answers = answers
        self.asked: list[dict[str, object]] = []
        self.deadlines: list[float] = []
        self.process = SimpleNamespace(is_alive=True)
        self.launch = SimpleNamespace(serving=None)
        self.adapter = SimpleNamespace(expected_config=lambda serving: {})

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        self.asked.append(body)
        self.deadlines.append(timeout_s)
        return self.answers(len(self.asked) - 1)


def stalling(*calls: int) -> Callable[[int], Any]:
    def answer(call: int) -> Any:
        if call in calls:
            raise STALL
        return {}

    return answer


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    kept: dict[str, Check] = {}
    monkeypatch.setattr(module, "token_stream", lambda run: range(10_000))
    monkeypatch.setattr(
        module, "canary_reference", lambda run, variant: {"tokens": [[1, 2, 3]], "logprobs": [[0]]}
    )
    return SimpleNamespace(
        study=STUDY, kept=kept,
        timeline=SimpleNamespace(stage=lambda name: nullcontext()),
        recorder=SimpleNamespace(
            keep=lambda variant, step, check: kept.__setitem__(step, check),
            keep_all=lambda variant, step, checks: kept.update({c.name: c for c in checks}),
        ),
    )  # fmt: skip


def test_one_stall_is_looked_at_again_with_other_prompts(run: Any) -> None:
    endpoint = Endpoint(stalling(0))
    module.pace.fn(run, "compiled", "variant", endpoint)  # type: ignore[arg-type]
    assert run.kept["check.pace.variant"].passed
    first, second = (endpoint.asked[call]["prompt"] for call in (0, 1))
    assert not set(first) & set(second)  # type: ignore[call-overload]


def test_a_server_that_stalls_twice_is_stopped(run: Any) -> None:
    module.pace.fn(run, "compiled", "variant", Endpoint(stalling(0, 1)))  # type: ignore[arg-type]
    assert run.kept["check.pace.variant"].passed is False
    assert "gave no answer" in run.kept["check.pace.variant"].reason


def test_what_an_engine_compiles_at_first_use_is_start_up(run: Any) -> None:
    endpoint = Endpoint(
        lambda call: {"choices": [{"logprobs": {"token_logprobs": [None, -1, -1]}}]}
    )
    endpoint.reported_config = dict  # type: ignore[attr-defined]
    with pytest.raises(KeyError):  # this reference has no null arm: only the first call matters
        module.identify.fn(run, "compiled", "variant", endpoint)  # type: ignore[arg-type]
    assert endpoint.deadlines[0] == STUDY.start_deadline_s


def test_a_first_token_is_asked_for_once_more_unless_the_engine_is_dead() -> None:
    alive, dead = Endpoint(stalling(0)), Endpoint(stalling(0))
    assert serve._first_token(alive, 3.0) >= 0  # type: ignore[arg-type]
    assert alive.deadlines == [3.0, 3.0]
    dead.process.is_alive = False
    with pytest.raises(EngineError, match="gave no answer"):
        serve._first_token(dead, 3.0)  # type: ignore[arg-type]
    assert len(dead.asked) == 1
