"""Tool calling by written calls: read what a model wrote, and say what is wrong with it."""

from evals.suites.calls.answer import Answer, api_names, is_as_text, parse_answer, read_answer
from evals.suites.calls.call import Call, Calls, Failure, Kind, Parsed, ToolCall, render
from evals.suites.calls.checking import check
from evals.suites.calls.irrelevance import Outcome, judge_answer, judge_text
from evals.suites.calls.parsing import parse_text, parse_tool_calls
from evals.suites.calls.rows import ABSTAINING, CALLING, Row, Wanted, addresses, rows

__all__ = [
    "ABSTAINING",
    "CALLING",
    "Answer",
    "Call",
    "Calls",
    "Failure",
    "Kind",
    "Outcome",
    "Parsed",
    "Row",
    "ToolCall",
    "Wanted",
    "addresses",
    "api_names",
    "check",
    "is_as_text",
    "judge_answer",
    "judge_text",
    "parse_answer",
    "parse_text",
    "parse_tool_calls",
    "read_answer",
    "render",
    "rows",
]
