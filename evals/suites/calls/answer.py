"""What an API answered to a request with tools, and the calls in it.

Origin of the form: the chat completions of OpenAI, as vLLM and SGLang serve them. A server whose
tool-call parser does not recognize a call hands it on as `content`, with the finish reason `stop`
(vLLM issue 39468): a broken variant then looks like one that had nothing to call. It is `as_text`.

Example: offered `area`; `content` is `area(base=10)` and there is no tool call -> as_text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.suites.calls.call import Failure, Parsed, ToolCall
from evals.suites.calls.marks import holds_call
from evals.suites.calls.parsing import parse_tool_calls
from variants.errors import MeasurementError

FOREIGN = re.compile(r"[^A-Za-z0-9_-]")  # what an API allows in no name; OpenAI's own rule


@dataclass(frozen=True, slots=True)
class Answer:
    """One choice of a chat completion."""

    content: str
    tool_calls: tuple[ToolCall, ...]
    finish_reason: str


def api_names(documented: Iterable[str]) -> dict[str, str]:
    """Return name in the API -> name as documented; the one is offered, the other is wanted.

    Example: `math.area` is offered as `math_area`.

    Raises:
        MeasurementError: two names become one.
    """
    found: dict[str, str] = {}
    for name in documented:
        offered = FOREIGN.sub("_", name)
        if found.setdefault(offered, name) != name:
            raise MeasurementError(
                f"{found[offered]} and {name} are both {offered} in the API; rename one of them"
            )
    return found


def read_answer(choice: Mapping[str, object]) -> Answer:
    """Read one element of `choices`.

    Raises:
        MeasurementError: the server answered something else than a chat completion.
    """
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise MeasurementError(f"a choice without a message ({choice!r:.200}); ask for a chat")
    given = message.get("tool_calls") or ()
    if not isinstance(given, list | tuple):
        raise MeasurementError(f"tool_calls is no list ({given!r:.200})")
    return Answer(
        content=str(message.get("content") or ""),
        tool_calls=tuple(_tool_call(one) for one in given),
        finish_reason=str(choice.get("finish_reason") or ""),
    )


def _tool_call(given: object) -> ToolCall:
    """Take name and arguments; what is missing becomes text that no parser takes."""
    function = given.get("function") if isinstance(given, Mapping) else None
    if not isinstance(function, Mapping):
        return ToolCall("", "")
    arguments = function.get("arguments")
    return ToolCall(
        str(function.get("name") or ""), arguments if isinstance(arguments, str) else ""
    )


def is_as_text(answer: Answer, offered: Iterable[str]) -> bool:
    """Whether a call landed in the text: the answer ended by itself and gave none as such."""
    ended = answer.finish_reason == "stop" and not answer.tool_calls
    return ended and holds_call(answer.content, offered)


def parse_answer(answer: Answer, names: Mapping[str, str]) -> Parsed:
    """Read the calls of an answer; `names` as `api_names` gave them."""
    if answer.tool_calls:
        return parse_tool_calls(answer.tool_calls, names)
    if is_as_text(answer, {*names, *names.values()}):
        return Failure("as_text", f"the call is in the text: {answer.content[:80]!r}")
    if answer.finish_reason == "stop":
        return ()
    return Failure("parse_error", f"no call, and it ended by {answer.finish_reason or 'nothing'!r}")
