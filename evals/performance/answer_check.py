"""Whether an answer is what was asked for, from its words alone."""

import json
from collections.abc import Sequence
from typing import Any

from evals.results import Trace
from evals.suites.structured.strict_json import read_document
from evals.suites.structured.validation import is_valid as conforms
from evals.workload.asks import SCHEMAS, TOOLS, Ask
from evals.workload.plan import Plan


def checked(traces: Sequence[Trace], plan: Plan) -> tuple[Trace, ...]:
    """Judge the answers of a cell that asks for more than text; a caller that left has none."""
    if plan.ask == "text":
        return tuple(traces)
    return tuple(_checked(trace, plan) if trace.outcome == "ok" else trace for trace in traces)


def _checked(trace: Trace, plan: Plan) -> Trace:
    variety = plan.requests[trace.index].variety
    said = json.loads(trace.answer or '{"text": "", "calls": []}')  # as `client.words` wrote it
    valid = is_valid(plan.ask, variety, said["text"], said["calls"])
    return trace.model_copy(update={"is_valid": valid})


def is_valid(ask: Ask, variety: int, text: str, calls: Sequence[Sequence[str]] = ()) -> bool:
    """Tell whether an answer conforms: JSON of its schema, or calls of the tools it was given.

    A call is a name and its arguments as JSON. One that is written into the text is none.

    Example: `{"answer": "yes", "confidence": 7}` is valid JSON of schema 0, and with 100 it is not.
    """
    if ask == "json":
        return _conforms(SCHEMAS[variety], text)
    functions = [tool["function"] for tool in TOOLS[variety]]
    parameters = {function["name"]: function["parameters"] for function in functions}
    return bool(calls) and all(
        name in parameters and _conforms(parameters[name], arguments) for name, arguments in calls
    )


def _conforms(schema: dict[str, Any], text: str) -> bool:
    document = read_document(text)
    return document is not None and conforms(schema, document.value)
