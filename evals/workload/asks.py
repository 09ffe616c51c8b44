"""What a request asks for besides text: JSON of a schema, or a call of one of its tools.

Every schema bounds its length, so that a model that only follows the grammar comes to an end; one
that is cut off gave no valid answer.
"""

from typing import Any, Literal

Ask = Literal["text", "json", "tool-call"]

_WORD: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 12, "pattern": "^[a-z]+$"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 99}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip


SCHEMAS: tuple[dict[str, Any], ...] = (
    _object(answer={"enum": ["yes", "no", "unknown"]}, confidence=_COUNT),
    _object(name=_WORD, kind={"enum": ["person", "place", "thing"]}, mentions=_COUNT),
    _object(
        topic=_WORD, tone={"enum": ["plain", "formal", "warm"]}, is_question={"type": "boolean"}
    ),
)


def _tool(name: str, **properties: dict[str, Any]) -> dict[str, Any]:
    function = {
        "name": name, "description": name.replace("_", " "), "parameters": _object(**properties),
    }  # fmt: skip
    return {"type": "function", "function": function}


TOOLS: tuple[tuple[dict[str, Any], ...], ...] = (
    (_tool("get_weather", city=_WORD, days=_COUNT),),
    (_tool("find_passage", word=_WORD, page=_COUNT), _tool("count_words", word=_WORD)),
    (_tool("set_alarm", hour=_COUNT, minute=_COUNT), _tool("play_song", title=_WORD)),
)
NUM_VARIETIES = len(SCHEMAS)


def fields_of(ask: Ask, variety: int) -> dict[str, object]:
    """Return what a chat completion that asks for it carries besides its messages."""
    if ask == "json":
        schema = {"name": f"schema-{variety}", "schema": SCHEMAS[variety], "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if ask == "tool-call":
        return {"tools": TOOLS[variety], "tool_choice": "required"}
    return {}
