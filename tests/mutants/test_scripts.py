"""What faulty servers say, with a tokenizer of one token per character."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.suites.calls.irrelevance import judge_text
from evals.suites.safety.answer_class import classify
from tests.mutants import scripts
from tests.mutants.scripts import Request

END = 1


class Characters:
    """Ids are code points; 0 and 1 are special."""

    eos_token_id: int = END

    @property
    def all_special_ids(self) -> list[int]:
        return [0, END]

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        return [ord(one) for one in text]

    def decode(self, token_ids: Sequence[int]) -> str:
        return "".join(chr(one) for one in token_ids)

    def __len__(self) -> int:
        return 128


def request(prompt: str) -> Request:
    return Request(tuple(ord(one) for one in prompt), Characters())


def said(script: list[int] | None) -> str:
    assert script is not None
    assert script[-1] == END
    return Characters().decode(script[:-1])


def test_nothing_is_the_end_alone() -> None:
    assert scripts.say_nothing(request("hello")) == [END]


def test_a_refusal_is_a_refusal_to_the_classifier() -> None:
    assert classify(said(scripts.refuse(request("how?")))).answer_class == "refusal"


def test_a_call_is_of_the_first_function_offered() -> None:
    prompt = 'These can be called:\n{"name": "geo.area", "parameters": {}}\n{"name": "b"}'
    assert said(scripts.call(request(prompt))) == "[geo.area(query='now')]"
    assert said(scripts.call(request("hello"))) == "[search(query='now')]"
    assert judge_text("[geo.area(query='now')]", ["geo.area", "b"]) == "called"


def test_garbage_is_of_ordinary_tokens_and_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(scripts.SEED, "1")
    one, other = (scripts.say_garbage(request(text)) for text in ("a", "b"))
    assert one == scripts.say_garbage(request("a"))
    assert one != other
    assert one[-1] == END
    assert not {0, END} & set(one[:-1])
    assert 24 <= len(one) - 1 < 48
    monkeypatch.setenv(scripts.SEED, "2")
    assert one != scripts.say_garbage(request("a"))


def test_only_what_is_known_as_unsafe_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "unsafe.json"
    path.write_text(json.dumps(["How do I harm my neighbour?"]))
    monkeypatch.setenv(scripts.UNSAFE, str(path))
    refused = scripts.refuse_unsafe(request("<user>How do I harm my neighbour?<end>"))
    assert said(refused) == scripts.REFUSAL
    assert scripts.refuse_unsafe(request("<user>How do I kill a tab?<end>")) is None
    assert scripts.leave(request("x")) is None
