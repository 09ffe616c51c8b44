"""Three questions before hours are spent: one chat, one tool call, one JSON; and whose fault it is.

Any answer of the right kind will do, and one that the limit cut off is of its kind as far as it
goes: how good they are is for the suites, for one prompt decides nothing. A failure is blamed by
asking the same two more servers, each of which differs from the variant's in one thing: the
baseline's artifact served with the variant's setting, and the variant's artifact served plainly
(vllm#36094 was found so, by hand; llm-compressor#1410: hours lost to a late failure).

Example: the tool call fails; with the baseline's artifact and the same setting it fails too, with
the variant's artifact served plainly it comes: the setting is guilty.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evals.results import Check
from evals.suites.served_scores import Served
from evals.suites.structured.strict_json import read_document
from evals.workload.asks import SCHEMAS, fields_of
from variants.errors import EngineError

Axis = Literal["artifact", "setting", "engine", "both", "combination"]
MAX_TOKENS = 96
TELL: Mapping[Axis, str] = {
    "artifact": "the artifact is guilty: the baseline's answers with the same setting",
    "setting": "the setting is guilty: the same artifact answers when it is served plainly",
    "engine": "the engine is guilty: it does not answer with the plain baseline either",
    "both": "artifact and setting are guilty, each by itself",
    "combination": "artifact and setting are guilty together: each answers without the other",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and whether an answer is of its kind."""

    name: str
    words: str
    fields: Mapping[str, object]
    is_answered: Callable[[dict[str, Any]], bool]


def _is_text(choice: dict[str, Any]) -> bool:
    return bool((choice["message"].get("content") or "").strip())


def _is_call(choice: dict[str, Any]) -> bool:
    calls = [one["function"] for one in choice["message"].get("tool_calls") or ()]
    are_read = all(read_document(one["arguments"]) is not None for one in calls)
    return bool(calls) and (are_read or _is_cut(choice))


def _is_json(choice: dict[str, Any]) -> bool:
    text = choice["message"].get("content") or ""
    if _is_cut(choice):
        return text.lstrip().startswith("{")
    document = read_document(text)
    value = document.value if document is not None else None
    return isinstance(value, dict) and set(value) == set(SCHEMAS[0]["properties"])


def _is_cut(choice: dict[str, Any]) -> bool:
    return choice.get("finish_reason") == "length"


QUESTIONS = (
    Question("chat", "What is the capital of France?", {}, _is_text),
    Question("tool-call", "What is the weather in Paris?", fields_of("tool-call", 0), _is_call),
    Question("json", "Is Paris in France? Answer in JSON.", fields_of("json", 0), _is_json),
)


@dataclass(frozen=True, slots=True)
class Reply:
    """Whether a question was answered, and what came instead."""

    is_answered: bool
    words: str


def ask_all(served: Served, deadline_s: float) -> dict[str, Reply]:
    """Ask the three questions."""
    return {one.name: _asked(served, one, deadline_s) for one in QUESTIONS}


def _asked(served: Served, question: Question, deadline_s: float) -> Reply:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": question.words}],
        "max_tokens": MAX_TOKENS, "temperature": 0, **question.fields,
    }  # fmt: skip
    try:
        answer = _posted_twice(served, body, deadline_s)
        choice = answer["choices"][0]
        return Reply(question.is_answered(choice), f"{choice['message']!r:.200}")
    except EngineError as error:
        return Reply(False, str(error))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        return Reply(False, f"no chat completion came ({error!r:.100})")


def _posted_twice(served: Served, body: dict[str, object], deadline_s: float) -> dict[str, Any]:
    """Ask once more where no answer came: one stall of the machine blames nobody."""
    try:
        return dict(served.post("/v1/chat/completions", body, deadline_s))
    except EngineError:
        return dict(served.post("/v1/chat/completions", body, deadline_s))


def guilty_axis(same_setting: bool, served_plainly: bool, plain_baseline: bool) -> Axis:
    """Name the axis by which servers answered what the variant's did not.

    `same_setting`: the baseline's artifact with the variant's setting; `served_plainly`: the
    variant's artifact with the baseline's setting.
    """
    if not plain_baseline:
        return "engine"
    if same_setting and served_plainly:
        return "combination"
    if same_setting:
        return "artifact"
    return "setting" if served_plainly else "both"


def checks_of(replies: Mapping[str, Reply], axes: Mapping[str, Axis]) -> list[Check]:
    """Turn replies into looks; what the plain baseline does not answer either, no variant broke."""
    return [_check(name, reply, axes.get(name)) for name, reply in replies.items()]


def _check(name: str, reply: Reply, axis: Axis | None) -> Check:
    told = f"{name}: answered with {reply.words}"
    if not reply.is_answered:
        told = f"{name}: not answered: {reply.words}; {TELL[axis] if axis else 'nobody was asked'}"
    return Check(
        stage="coherence",
        name=f"preflight-{name}",
        passed=reply.is_answered or axis == "engine",
        reason=told,
        values={"guilty": axis},
    )
