"""Tool calls of the Berkeley Function Calling Leaderboard that no suite of ours asks.

Origin: `bfcl-eval` 2026.3.23 (Apache-2.0, ShishirPatil/gorilla), categories simple_java and
simple_javascript: 150 questions, each with one function and a call that answers it. Suites ask the
Python, parallel, live, irrelevance and multi-turn categories; these two are read here alone.
"""

import json
from pathlib import Path
from typing import Any

from variants.calibration.request import Request

WHEEL = "wheel://bfcl-eval==2026.3.23"
WHEEL_SHA256 = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
CATEGORIES = ("simple_java", "simple_javascript")
KINDS = {  # the leaderboard's names of types -> JSON Schema's
    "dict": "object", "hashmap": "object", "any": "string", "char": "string", "tuple": "array",
    "arraylist": "array", "list": "array", "bool": "boolean", "int": "integer", "long": "integer",
    "short": "integer", "byte": "integer", "bigint": "integer", "float": "number",
    "double": "number",
}  # fmt: skip
LISTED = frozenset({"array", "boolean", "integer", "number", "object", "string"})


def addresses() -> dict[str, str]:
    """Return the source address of every file read -> the pinned digest of its wheel."""
    names = [f"BFCL_v4_{name}.json" for name in CATEGORIES]
    members = [*names, *(f"possible_answer/{name}" for name in names)]
    return {f"{WHEEL}/bfcl_eval/data/{member}": WHEEL_SHA256 for member in members}


def calls(files: dict[str, str]) -> tuple[Request, ...]:
    """Read every question with its tool and its answer, from the local copies of `addresses()`."""
    found: list[Request] = []
    for category in CATEGORIES:
        member = f"BFCL_v4_{category}.json"
        questions = _lines(files[f"{WHEEL}/bfcl_eval/data/{member}"])
        answers = _lines(files[f"{WHEEL}/bfcl_eval/data/possible_answer/{member}"])
        truths = {line["id"]: line["ground_truth"] for line in answers}
        found.extend(_request(line, truths[line["id"]]) for line in questions)
    return tuple(found)


def _lines(path: str) -> list[dict[str, Any]]:
    text = Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _request(line: dict[str, Any], truth: list[dict[str, Any]]) -> Request:
    asked = [{"role": one["role"], "content": one["content"]} for one in line["question"][0]]
    called = [{"type": "function", "function": _call(one)} for one in truth]
    answer = {"role": "assistant", "content": "", "tool_calls": called}
    tools = [{"type": "function", "function": _tool(one)} for one in line["function"]]
    return Request(messages=(*asked, answer), tools=tuple(tools))


def _call(truth: dict[str, dict[str, list[Any]]]) -> dict[str, Any]:
    """Take the first accepted value of each argument that may not be left out."""
    ((name, accepted),) = truth.items()
    chosen = {key: values[0] for key, values in accepted.items() if "" not in values}
    return {"name": name, "arguments": chosen}


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    return {**function, "parameters": _schema(function["parameters"])}


def _schema(node: Any) -> Any:
    """Write types as JSON Schema does; chat templates and engines read nothing else."""
    if isinstance(node, list):
        return [_schema(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _kind(value) if key == "type" and isinstance(value, str) else _schema(value)
        for key, value in node.items()
    }


def _kind(name: str) -> str:
    known = KINDS.get(name.lower(), name.lower())
    return known if known in LISTED else "string"
