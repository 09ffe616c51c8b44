"""JSON Schemas from functions: the parameters of a BFCL function, and the gold call's arguments.

Origin: BFCL version 4 (`evals.suites.bfcl`, Apache-2.0). Its parameters look like JSON Schema but
name Python's types, leave objects open and carry words that bind nobody (`default`, `optional`).
Types are renamed, objects whose properties are listed are closed, what binds is kept. A row whose
gold arguments do not validate then is left out, for its function says one thing and its answer
another: 1,777 of 1,791 remain, and the published answer of 692 of these takes one value of each
argument.

Example: `{"type": "dict", "properties": {"base": {"type": "float"}}, "required": ["base"]}` becomes
`{"type": "object", "properties": {"base": {"type": "number"}}, "required": ["base"],
"additionalProperties": false}`, and of `area(base=10)` the instance is `{"base": 10}`.
"""

import random
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from evals.suites.bfcl import Row
from evals.suites.structured.dialect import Schema
from evals.suites.structured.mutations import mutations
from evals.suites.structured.schemas import Broken, SchemaItem
from evals.suites.structured.validation import is_valid
from variants.errors import SourceError

ANY = "any"  # the one name that stands for no type
TYPES = {
    "dict": "object", "float": "number", "tuple": "array", "object": "object", "number": "number",
    "array": "array", "string": "string", "integer": "integer", "boolean": "boolean",
}  # fmt: skip
RENAMED = frozenset({"type", "items", "properties", "required"})
KEPT = ("description", "enum", "format")
LEFT_OUT = frozenset({"default", "optional"})
KNOWN = RENAMED | LEFT_OUT | frozenset(KEPT)


def schema_of(function: Mapping[str, Any]) -> Schema:
    """Return the schema of a function's arguments.

    Raises:
        SourceError: a type that JSON lacks, or a word that may bind and is not known.
    """
    return _schema(function["parameters"], str(function["name"]))


def tool_item(row: Row, rng: random.Random) -> SchemaItem | None:
    """Turn a row into an item of its function's family; None where its gold does not validate."""
    called = next(one for one in row.functions if one["name"] == row.gold.function)
    schema = schema_of(called)
    gold: dict[str, JsonValue] = dict(row.gold.arguments)
    if not is_valid(schema, gold):
        return None
    invalid = mutations(gold, schema, rng)
    return SchemaItem(
        id=row.id,
        family=row.gold.function,
        keywords=(),
        request=row.question,
        json_schema=schema,
        gold=gold,
        valid=(),
        invalid=tuple(Broken(breaks=one.breaks, value=one.value) for one in invalid),
    )


def has_one_gold(row: Row) -> bool:
    """Whether the published answer takes one value of each argument, so that equality is fair."""
    return all(len(values) == 1 for values in row.accepted.values())


def _schema(field: Mapping[str, Any], place: str) -> Schema:
    unknown = sorted(set(field) - KNOWN)
    if unknown:
        raise SourceError(
            f"{place} has the word {unknown[0]!r}; known are {', '.join(sorted(KNOWN))}"
        )
    kept = {word: field[word] for word in KEPT if word in field}
    return {**_type(field, place), **kept, **_items(field, place), **_fields(field, place)}


def _type(field: Mapping[str, Any], place: str) -> Schema:
    named = str(field.get("type", ANY))
    if named == ANY:
        return {}
    if named not in TYPES:
        raise SourceError(f"{place} has the type {named!r}; known are {', '.join(TYPES)}, {ANY}")
    return {"type": TYPES[named]}


def _items(field: Mapping[str, Any], place: str) -> Schema:
    return {"items": _schema(field["items"], f"{place}[]")} if "items" in field else {}


def _fields(field: Mapping[str, Any], place: str) -> Schema:
    """Close an object whose properties are listed; one without a list takes any."""
    if "properties" not in field:
        return {}
    listed = field["properties"].items()
    return {
        "properties": {name: _schema(inner, f"{place}.{name}") for name, inner in listed},
        "required": list(field.get("required", ())),
        "additionalProperties": False,
    }
