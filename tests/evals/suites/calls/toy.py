"""Two functions, and items that want calls of them."""

from typing import Any

from evals.suites.calls import Row, Wanted

PARAMETERS: dict[str, Any] = {
    "type": "dict",
    "properties": {
        "base": {"type": "integer"},
        "height": {"type": "float"},
        "unit": {"type": "string"},
        "exact": {"type": "boolean"},
        "points": {"type": "array", "items": {"type": "float"}},
        "corner": {"type": "tuple", "items": {"type": "float"}},
        "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "style": {
            "type": "dict",
            "properties": {"colour": {"type": "string"}, "width": {"type": "integer"}},
        },
        "marks": {
            "type": "array",
            "items": {"type": "dict", "properties": {"name": {"type": "string"}}},
        },
        "note": {"type": "any"},
    },
    "required": ["base"],
}
FUNCTIONS: tuple[dict[str, Any], ...] = (
    {"name": "geo.area", "description": "Area.", "parameters": PARAMETERS},
    {"name": "perimeter", "description": "Perimeter.", "parameters": PARAMETERS},
)


def area(**accepted: list[Any]) -> Wanted:
    """Want a call of `geo.area`."""
    return Wanted("geo.area", accepted, PARAMETERS)


def row(*wanted: Wanted) -> Row:
    """Make an item that wants these calls."""
    messages = ({"role": "user", "content": "How large is it?"},)
    return Row("toy_1", "parallel", messages, FUNCTIONS, wanted)
