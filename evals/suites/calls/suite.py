"""The suites of calls: written as text, through the API's tools, and where no function fits.

Origin: BFCL version 4 (Apache-2.0; `rows.py`), judged by our own checker (`checking.py`). Calls and
abstention are asked in one form, so that a model that always calls, or never, fails one of them.
Through the API a call that lands in the text is a failure (`as_text`); the engine must be started
with a parser of tool calls, else it refuses every item.

Example: offered `area(base, height)` and asked for the area of base 10 and height 5:
`[area(base=10, height=5)]` is right, `area is 25` a parse_error, `[area(base=10)]` a
missing_argument.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial

from evals.suites.calls.answer import Answer as ApiAnswer
from evals.suites.calls.answer import api_names, parse_answer
from evals.suites.calls.call import ToolCall
from evals.suites.calls.checking import check
from evals.suites.calls.irrelevance import judge_text
from evals.suites.calls.parsing import parse_text
from evals.suites.calls.rows import ABSTAINING, CALLING, Row, addresses, rows
from evals.suites.item import Request, draw_items
from evals.suites.language import is_degenerate
from evals.suites.structured.from_tools import schema_of
from evals.suites.written import Answer, Mark, Question, WrittenSuite
from variants.errors import SourceError

MAX_TOKENS = 160  # the longest right answer has 715 characters; nine in ten have 300 or less
MAX_PROMPT_CHARACTERS = 4000  # about 1,200 tokens; the longest would not fit a context of 2,048
ASKED = (
    "Answer with the calls alone, as a list in Python syntax with named arguments, such as "
    "[area(base=10, height=5)]. If no function fits, say so in one sentence and call nothing."
)


def calling_items(request: Request) -> tuple[Question, ...]:
    """Draw items that want calls."""
    return _questions(request, CALLING, _mark_calls)


def api_items(request: Request) -> tuple[Question, ...]:
    """Draw items that want calls, and offer their functions as tools of the chat API."""
    found = [(row, tools) for row in rows(request.files, CALLING) if (tools := _tools(row))]
    short = [pair for pair in found if len(pair[1]) <= MAX_PROMPT_CHARACTERS]
    return tuple(
        Question(row.id, row.cluster, _said(row), MAX_TOKENS, partial(_mark_api, row), tools=tools)
        for row, tools in draw_items(short, request)
    )


def abstaining_items(request: Request) -> tuple[Question, ...]:
    """Draw items that want none."""
    return _questions(request, ABSTAINING, _mark_silence)


def _questions(
    request: Request, categories: Sequence[str], mark: Callable[[Row, Answer], Mark]
) -> tuple[Question, ...]:
    found = [(row, _words(row)) for row in rows(request.files, categories)]
    short = [pair for pair in found if len(pair[1]) <= MAX_PROMPT_CHARACTERS]
    return tuple(
        Question(row.id, row.cluster, words, MAX_TOKENS, partial(mark, row))
        for row, words in draw_items(short, request)
    )


def _words(row: Row) -> str:
    offered = "\n".join(json.dumps(function) for function in row.functions)
    return f"These functions can be called:\n{offered}\n\n{ASKED}\n\n{_said(row)}"


def _said(row: Row) -> str:
    return "\n".join(message["content"] for message in row.messages)


def _tools(row: Row) -> str:
    """Write the functions as tools; '' where one has a type that JSON Schema lacks."""
    names = {documented: name for name, documented in api_names(row.offered).items()}
    try:
        tools = [
            {
                "type": "function",
                "function": {
                    "name": names[function["name"]],
                    "description": function.get("description", ""),
                    "parameters": schema_of(function),
                },
            }
            for function in row.functions
        ]
    except SourceError:
        return ""
    return json.dumps(tools)


def _mark_calls(row: Row, answer: Answer) -> Mark:
    failure = check(row, parse_text(answer.text))
    if failure is None:
        return Mark(True, False)
    return Mark(False, is_degenerate(answer.text), failure.kind)


def _mark_api(row: Row, answer: Answer) -> Mark:
    given = ApiAnswer(
        content=answer.text,
        tool_calls=tuple(ToolCall(name, arguments) for name, arguments in answer.calls),
        finish_reason="length" if answer.is_cut else "stop",
    )
    failure = check(row, parse_answer(given, api_names(row.offered)))
    if failure is None:
        return Mark(True, False)
    return Mark(False, not answer.calls and is_degenerate(answer.text), failure.kind)


def _mark_silence(row: Row, answer: Answer) -> Mark:
    outcome = judge_text(answer.text, row.offered)
    if outcome == "abstained":
        return Mark(True, False)
    return Mark(False, outcome != "called", outcome)


WRITTEN_CALLS = WrittenSuite(
    id="written-calls",
    origin="BFCL v4, single-turn Python categories, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="function",
    rule="greedy; right if the calls are those wanted, in any order, by our strict checker",
    items=calling_items,
    data=addresses(CALLING),
)
API_CALLS = WrittenSuite(
    id="api-calls",
    origin="BFCL v4, single-turn Python categories, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="function",
    rule="greedy, through the API's tools; right if the calls are those wanted, in any order",
    items=api_items,
    data=addresses(CALLING),
)
IRRELEVANCE = WrittenSuite(
    id="irrelevance",
    origin="BFCL v4, irrelevance and live_irrelevance, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="function",
    rule="greedy; right if the answer is language and calls nothing",
    items=abstaining_items,
    rewards_silence=True,
    data=addresses(ABSTAINING),
)
