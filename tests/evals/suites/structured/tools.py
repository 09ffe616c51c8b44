"""Ten functions as the leaderboard describes them, each with arguments that fit."""

from typing import Any

from pydantic import JsonValue

TEXT = {"type": "string", "description": "Some text."}
NUMBER = {"type": "float"}
COUNT = {"type": "integer"}


def tool(name: str, required: list[str], /, **parameters: dict[str, Any]) -> dict[str, Any]:
    fields = {"type": "dict", "properties": parameters, "required": required}
    return {"name": name, "description": f"Does {name}.", "parameters": fields}


UNIT = {"type": "string", "enum": ["cm", "inch"]}
POINT = {"type": "dict", "properties": {"x": NUMBER, "y": NUMBER}, "required": ["x", "y"]}

TOOLS: tuple[tuple[dict[str, Any], JsonValue], ...] = (
    (tool("measure", ["unit", "size"], unit=UNIT, size=COUNT), {"unit": "cm", "size": 3}),
    (tool("greet", ["name"], name=TEXT, loud={"type": "boolean"}), {"name": "Bo", "loud": True}),
    (tool("scale", ["factor"], factor=NUMBER), {"factor": 2}),
    (tool("tag", ["tags"], tags={"type": "array", "items": TEXT}), {"tags": ["a", "b"]}),
    (tool("place", ["at"], at={"type": "tuple", "items": NUMBER}), {"at": [1.5, 2]}),
    (tool("draw", ["start"], start=POINT), {"start": {"x": 0, "y": 1.5}}),
    (tool("path", ["points"], points={"type": "array", "items": POINT}),
     {"points": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}),
    (tool("store", ["value"], value={"type": "any"}), {"value": [1, "a"]}),
    (tool("label", [], labels={"type": "dict"}, depth=COUNT), {"labels": {"a": "b"}, "depth": 1}),
    (tool("pick", ["type"], type={"type": "integer", "enum": [1, 2, 3]},
          of={"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}),
     {"type": 2, "of": ["a"]}),
)  # fmt: skip
