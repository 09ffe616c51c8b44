"""One request that calibration is drawn from: a chat, with or without tools, or plain text.

A line of a user's own file is {"messages": [{"role", "content"}, ...], "tools": [...]} as the chat
API takes it, or {"text": "..."}.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from variants.errors import RecipeError

OFFER = "You may call these functions; to call, answer with JSON of name and arguments:\n"
MOST_LINES = 100_000  # a longer log is a log: draw from it first


class Request(BaseModel):
    """What was sent, with what was answered where that is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    messages: tuple[dict[str, Any], ...] = ()
    tools: tuple[dict[str, Any], ...] = ()

    @model_validator(mode="after")
    def _is_text_or_chat(self) -> "Request":
        if bool(self.text) == bool(self.messages) or (self.tools and self.text):
            raise ValueError("give either messages (and tools), or text, and not empty")
        if any(not isinstance(one.get("role"), str) for one in self.messages):
            raise ValueError("every message needs a role")
        return self

    @property
    def said(self) -> tuple[str, ...]:
        """What is said in it, message by message, without tools and template."""
        contents = [one.get("content") for one in self.messages]
        return (self.text,) if self.text else tuple(one for one in contents if isinstance(one, str))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools that are offered, and of those that are called."""
        called = [call for one in self.messages for call in one.get("tool_calls") or ()]
        functions = [one.get("function") for one in (*self.tools, *called)]
        return tuple(
            str(one["name"]) for one in functions if isinstance(one, dict) and "name" in one
        )

    def in_words(self) -> "Request":
        """Write tools and calls out as JSON in messages, for a base whose template has none."""
        listed = "\n".join(json.dumps(one.get("function", one)) for one in self.tools)
        offer = ({"role": "system", "content": OFFER + listed},) if self.tools else ()
        return Request(messages=(*offer, *map(_written, self.messages)))

    @property
    def words(self) -> str:
        """All that is said in it."""
        return "\n".join(self.said)


def _written(message: dict[str, Any]) -> dict[str, Any]:
    calls = message.get("tool_calls") or []
    if not calls:
        return {"role": message["role"], "content": message.get("content") or ""}
    text = json.dumps([one.get("function", one) for one in calls])
    return {"role": message["role"], "content": text}


def read_requests(path: Path) -> tuple[Request, ...]:
    """Read a user's own requests, one JSON object a line.

    Raises:
        RecipeError: the file cannot be read, is empty or too long, or a line is no request.
    """
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as problem:
        raise RecipeError(f"calibration file {path.name} cannot be read: {problem}") from problem
    if not 0 < len(lines) <= MOST_LINES:
        raise RecipeError(f"{path.name} holds {len(lines)} requests; give 1 to {MOST_LINES:,}")
    return tuple(_read(path.name, number, line) for number, line in enumerate(lines, 1))


def _read(name: str, number: int, line: str) -> Request:
    try:
        return Request.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "request"
        raise RecipeError(
            f"{name} line {number}: {where}: {first['msg']}; a line is "
            '{"messages": [...], "tools": [...]} or {"text": "..."}'
        ) from problem
