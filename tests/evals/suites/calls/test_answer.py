from typing import Any

import pytest

from evals.suites.calls import (
    Answer,
    Call,
    Failure,
    ToolCall,
    api_names,
    is_as_text,
    parse_answer,
    read_answer,
)
from variants.errors import MeasurementError

NAMES = api_names(["geo.area", "perimeter"])
CALL = {"id": "1", "type": "function", "function": {"name": "geo_area", "arguments": '{"base": 1}'}}


def choice(content: str | None, calls: Any = None, finish_reason: str | None = "stop") -> Answer:
    message = {"role": "assistant", "content": content, "tool_calls": calls}
    return read_answer({"index": 0, "message": message, "finish_reason": finish_reason})


def test_names_lose_what_the_api_does_not_allow_and_get_it_back() -> None:
    assert NAMES == {"geo_area": "geo.area", "perimeter": "perimeter"}
    assert api_names(["a.b.c", "d-e"]) == {"a_b_c": "a.b.c", "d-e": "d-e"}
    with pytest.raises(MeasurementError, match=r"a\.b and a_b are both a_b"):
        api_names(["a.b", "a_b"])


def test_an_answer_is_read_into_calls() -> None:
    answer = choice(None, [CALL, CALL], "tool_calls")
    assert answer == Answer("", (ToolCall("geo_area", '{"base": 1}'),) * 2, "tool_calls")
    assert parse_answer(answer, NAMES) == (Call("geo.area", {"base": 1}),) * 2


@pytest.mark.parametrize(
    "content",
    [
        "geo.area(base=1)",
        "[geo_area(base=1)]",
        "```python\nperimeter(base=1)\n```",
        "I will call geo_area(base=1 for you.",
        "geo_area(1, 2)",
        '{"name": "geo_area", "arguments": {"base": 1}}',
        '{"name": "invented", "parameters": {"base": 1}}',
        '<tool_call>\n{"name": "geo_area", "argum',
        "<function=geo_area>\n<parameter=base>1",
        "<|tool_call>call:geo_area{base:1}<tool_call|>",
        '[TOOL_CALLS][{"name": "geo_area"}]',
        "call:geo_area{base:1}",
        "invented(base=1)",
        "now()",
    ],
)
def test_a_call_that_lands_in_the_text_is_as_text(content: str) -> None:
    answer = choice(content)
    assert is_as_text(answer, NAMES.keys() | set(NAMES.values()))
    failure = parse_answer(answer, NAMES)
    assert isinstance(failure, Failure)
    assert failure.kind == "as_text"


@pytest.mark.parametrize(
    "content",
    [
        "The area is 5 square metres.",
        "geo.area() needs a base, and you gave none.",
        "I could use geo_area (or perimeter), but what is the base?",
        "Bases (such as 5) are missing.",
        "[]",
        "",
        None,
    ],
)
def test_text_without_a_call_is_no_call_and_no_failure(content: str | None) -> None:
    assert parse_answer(choice(content), NAMES) == ()


def test_as_text_is_only_what_ended_by_itself_without_a_call() -> None:
    assert not is_as_text(choice("geo_area(base=1)", None, "length"), NAMES)
    assert not is_as_text(choice("geo_area(base=1)", [CALL], "stop"), NAMES)


@pytest.mark.parametrize("finish_reason", ["length", "tool_calls", "content_filter", None])
def test_an_answer_without_a_call_that_did_not_stop_is_no_answer(finish_reason: str | None) -> None:
    failure = parse_answer(choice("geo_area(base=1", None, finish_reason), NAMES)
    assert isinstance(failure, Failure)
    assert failure.kind == "parse_error"
    assert repr(finish_reason or "nothing") in failure.words


@pytest.mark.parametrize(
    "call",
    [
        None,
        {},
        {"function": None},
        {"function": {"name": "geo_area"}},
        {"function": {"name": "geo_area", "arguments": None}},
        {"function": {"name": "geo_area", "arguments": {"base": 1}}},
        {"function": {"name": "geo_area", "arguments": '{"base": '}},
    ],
)
def test_a_tool_call_that_is_not_whole_is_a_parse_error(call: Any) -> None:
    failure = parse_answer(choice(None, [call], "tool_calls"), NAMES)
    assert isinstance(failure, Failure)
    assert failure.kind == "parse_error"


@pytest.mark.parametrize("given", [{}, {"message": None}, {"message": {"tool_calls": "none"}}])
def test_what_is_no_chat_completion_is_no_measurement(given: dict[str, Any]) -> None:
    with pytest.raises(MeasurementError):
        read_answer(given)
