from typing import Any

import pytest

from evals.suites.preflight import Reply, ask_all, checks_of, guilty_axis
from tests.evals.suites.conftest import Start
from variants.errors import EngineError

TEXT = {"content": "Paris."}
CALL = {"tool_calls": [{"function": {"name": "get_weather", "arguments": '{"city": "paris"}'}}]}
JSON = {"content": '{"answer": "yes", "confidence": 9}'}
GOOD: dict[str, Any] = {"text": TEXT, "tools": CALL, "response_format": JSON}


class Server:
    """Answers each kind of question with its message; raises where that is an error."""

    def __init__(self, **messages: Any) -> None:
        self.messages = GOOD | messages
        self.num_asked = 0

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        self.num_asked += 1
        kind = next((name for name in ("tools", "response_format") if name in body), "text")
        message = self.messages[kind]
        if isinstance(message, list):
            message = message.pop(0)
        if isinstance(message, Exception):
            raise message
        return {"choices": [{"message": message, "finish_reason": message.get("ended", "stop")}]}


def answered(server: Any) -> dict[str, bool]:
    return {name: reply.is_answered for name, reply in ask_all(server, 5.0).items()}


def test_three_questions_and_no_more_when_all_is_well() -> None:
    server = Server()
    assert answered(server) == {"chat": True, "tool-call": True, "json": True}
    assert server.num_asked == 3


@pytest.mark.parametrize(
    ("kind", "message", "failed"),
    [
        ("text", {"content": " "}, "chat"),
        ("text", {"content": None}, "chat"),
        ("tools", TEXT, "tool-call"),
        ("tools", {"tool_calls": [{"function": {"name": "x", "arguments": "{"}}]}, "tool-call"),
        ("response_format", TEXT, "json"),
        ("response_format", {"content": '{"answer": "yes"}'}, "json"),
        ("response_format", EngineError("answered 500"), "json"),
    ],
)
def test_an_answer_of_another_kind_fails(kind: str, message: Any, failed: str) -> None:
    assert [name for name, passed in answered(Server(**{kind: message})).items() if not passed] == [
        failed
    ]


@pytest.mark.parametrize(
    ("content", "passes"), [('{"answer": "yes",\n  \n', True), ("{", True), ("\n\n", False)]
)
def test_json_that_the_limit_cut_off_is_json_as_far_as_it_goes(content: str, passes: bool) -> None:
    """A small model may fill what a grammar leaves open with white space: that proves nothing."""
    server = Server(response_format={"content": content, "ended": "length"})
    assert answered(server)["json"] is passes


def test_one_stall_blames_nobody() -> None:
    assert answered(Server(text=[EngineError("no answer"), TEXT]))["chat"]


def test_a_server_that_calls_nothing_and_writes_no_json(served: Start) -> None:
    assert answered(served()) == {"chat": True, "tool-call": False, "json": False}


def test_a_call_that_comes_through_the_api(served: Start) -> None:
    endpoint = served(is_tool_call=True, words='{"city": "paris"}')
    assert answered(endpoint)["tool-call"]


@pytest.mark.parametrize(
    ("same_setting", "served_plainly", "plain_baseline", "axis"),
    [
        (True, False, True, "artifact"),
        (False, True, True, "setting"),
        (False, False, True, "both"),
        (True, True, True, "combination"),
        (False, False, False, "engine"),
        (True, True, False, "engine"),
    ],
)
def test_the_guilty_axis(
    same_setting: bool, served_plainly: bool, plain_baseline: bool, axis: str
) -> None:
    assert guilty_axis(same_setting, served_plainly, plain_baseline) == axis


def test_what_the_baseline_cannot_do_either_is_no_fault_of_the_variant() -> None:
    replies = {"chat": Reply(True, "Paris."), "json": Reply(False, "{")}
    chat, json = checks_of(replies, {"json": "engine"})
    assert (chat.passed, json.passed) == (True, True)
    assert json.values["guilty"] == "engine"
    assert "the engine is guilty" in json.reason
    _, json = checks_of(replies, {"json": "setting"})
    assert json.passed is False
    assert json.name == "preflight-json"
    assert (
        "the setting is guilty: the same artifact answers when it is served plainly" in json.reason
    )
