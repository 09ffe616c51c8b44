"""JSON read by the letter: what Python's reader lets pass is refused.

Source: RFC 8259. `NaN` and `Infinity` are none of its numbers, and it calls objects whose names
repeat unpredictable, so both are refused. It lets a reader set limits of size (section 9): here a
number must fit a double, and nesting ends at `MAX_DEPTH`, so that no text can exhaust the stack of
who looks at it next.

Example: `{"a": 1}` is a document; `{"a": 1, "a": 2}`, `{"a": NaN}`, `[1e400]` and 65 brackets
within each other are none.
"""

import json
import math
import sys
from dataclasses import dataclass

from pydantic import JsonValue

MAX_DEPTH = 64  # the deepest gold instance has 6 levels; a level costs a validator some six frames


@dataclass(frozen=True, slots=True)
class Document:
    """The value of one JSON text: a record, since the value itself may be null."""

    value: JsonValue


def read_document(text: str) -> Document | None:
    """Read a text that is JSON from its first to its last character, but for white space."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return Document(value) if _is_shallow(value) else None


def holds_document(text: str) -> bool:
    """Tell whether the first object of a text, or an array before it, is whole.

    Later ones are not looked at: they may be parts of a first one that broke off.
    """
    brace, bracket = text.find("{"), text.find("[")
    is_first = bracket >= 0 and (brace < 0 or bracket < brace)
    return _begins_document(text, brace) or (is_first and _begins_document(text, bracket))


def _begins_document(text: str, start: int) -> bool:
    if start < 0:
        return False
    try:
        value, _ = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return False
    return _is_shallow(value)


def _is_shallow(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
    return not any(isinstance(inner, dict | list) for inner in level)


def _inside(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise ValueError("a name is given twice")
    return named


def _integer(text: str) -> int:
    number = int(text)
    if abs(number) > sys.float_info.max:
        raise ValueError("no double holds this number")
    return number


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no double holds this number")
    return number


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
