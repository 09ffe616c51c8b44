"""Is a value what was wanted? The published checker's meaning, at every depth.

Origin: BFCL's `ast_checker` (bfcl-eval 2026.3.23, Apache-2.0); the rules, none of the code. Strings
are compared in lower case, without spaces and `,./-_*^`, and with ' as ". A whole number is taken
where a float is expected, a float for an integer is not, and a truth value is no number. A list has
the wanted elements in their order; a tuple is a list only where the documentation says tuple. In a
wanted dict each key holds a list of accepted values, and "" among them lets the key be left out; a
dict inside of that is plain. An empty string or list stands for an argument that may be left out.

The published checker does so for an argument and its elements only. Deeper, and where the accepted
values are not of the documented type, it compares by Python's `==`: there 5.0 is 5, True is 1, and
"New York" is not "new york". And inside a list it takes no whole number for a float. Of the 37,294
answers that `make bench-calls` makes of the right ones, this changes the verdict on 32.

Example: wanted ["New York, NY"]: "new york ny" is accepted, "NYC" is wrong_value, 5 is wrong_type.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

from evals.suites.calls.call import Value

Schema = dict[str, Any]  # how a function's documentation describes a value
Compare = Callable[[Value, Any, Schema], bool]
Fault = Literal["wrong_type", "wrong_value"]
PUNCTUATION = re.compile(r"[ ,./\-_*^]")
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "float": (float, int),
    "boolean": (bool,),
    "array": (list,),
    "tuple": (list, tuple),
    "dict": (dict,),
}


def fault_of(value: Value, schema: Schema, accepted: Sequence[Any]) -> Fault | None:
    """Say what is wrong with an argument's value, or None where it is one of those accepted."""
    if "" in accepted and _stands_for_nothing(value, schema):
        return None
    if any(_is_accepted(value, one, schema) for one in accepted if one != ""):
        return None
    return "wrong_value" if _has_type(value, schema) else "wrong_type"


def normal(text: str) -> str:
    """Bring a string to the form that is compared.

    Example: "New York, NY" -> "newyorkny".
    """
    return PUNCTUATION.sub("", text).lower().replace("'", '"')


def _stands_for_nothing(value: Value, schema: Schema) -> bool:
    if isinstance(value, str):
        return schema.get("type") in ("string", "any") and normal(value) == ""
    return value == [] and schema.get("type") in ("array", "tuple")


def _is_accepted(value: Value, wanted: Any, schema: Schema) -> bool:
    """Compare with a value whose dicts hold lists of accepted values."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and _has_accepted_entries(value, wanted, schema)
    if isinstance(wanted, list):
        return _has_elements(value, wanted, schema, _is_accepted)
    return _is_equal(value, wanted, schema)


def _has_accepted_entries(
    value: dict[str, Value], wanted: dict[str, list[Any]], schema: Schema
) -> bool:
    needed = {key for key, accepted in wanted.items() if "" not in accepted}
    fields = schema.get("properties", {})
    return needed <= value.keys() <= wanted.keys() and all(
        any(_is_equal(one, accepted, fields.get(key, {})) for accepted in wanted[key])
        for key, one in value.items()
    )


def _is_equal(value: Value, wanted: Any, schema: Schema) -> bool:
    """Compare with a plain value."""
    if isinstance(wanted, str):
        return isinstance(value, str) and normal(value) == normal(wanted)
    if isinstance(wanted, list):
        return _has_elements(value, wanted, schema, _is_equal)
    if isinstance(wanted, dict):
        fields = schema.get("properties", {})
        return (
            isinstance(value, dict)
            and value.keys() == wanted.keys()
            and all(_is_equal(one, wanted[key], fields.get(key, {})) for key, one in value.items())
        )
    if wanted is None or isinstance(wanted, bool):
        return value is wanted
    return _is_number(value, wanted, schema)


def _is_number(value: Value, wanted: float, schema: Schema) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != wanted:
        return False
    takes_float = schema.get("type") == "float" or isinstance(wanted, float)
    return takes_float or isinstance(value, int)


def _has_elements(value: Value, wanted: list[Any], schema: Schema, compare: Compare) -> bool:
    is_tuple = schema.get("type") == "tuple"
    if not isinstance(value, list | tuple) or (isinstance(value, tuple) and not is_tuple):
        return False
    items = schema.get("items", {})
    return len(value) == len(wanted) and all(
        compare(one, other, items) for one, other in zip(value, wanted, strict=True)
    )


def _has_type(value: Value, schema: Schema) -> bool:
    kinds = TYPES.get(str(schema.get("type")))
    if kinds is not None and type(value) not in kinds:  # so that True is no integer
        return False
    if isinstance(value, list | tuple):
        return all(_has_type(one, schema.get("items", {})) for one in value)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        return all(_has_type(one, fields.get(key, {})) for key, one in value.items())
    return True
