"""Whether two JSON values mean the same.

Numbers are compared by value, objects without regard to order, arrays in order. A string is
compared after Unicode normalization (NFC: an accent may be a character of its own) and without
white space around it; a name of an object only after normalization. true is not 1.

Example: `{"a": 1, "b": ["x "]}` equals `{"b": ["x"], "a": 1.0}`, but not `{"a": 1, "b": ["X"]}`.
"""

from unicodedata import normalize

from pydantic import JsonValue


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Compare two values by what they mean."""
    if isinstance(one, str) and isinstance(other, str):
        return _composed(one).strip() == _composed(other).strip()
    if isinstance(one, dict) and isinstance(other, dict):
        return _is_same_object(one, other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def _is_same_object(one: dict[str, JsonValue], other: dict[str, JsonValue]) -> bool:
    named = {_composed(name): value for name, value in one.items()}
    others = {_composed(name): value for name, value in other.items()}
    return (
        len(one) == len(other)
        and named.keys() == others.keys()
        and all(is_same(value, others[name]) for name, value in named.items())
    )


def _composed(text: str) -> str:
    return normalize("NFC", text)
