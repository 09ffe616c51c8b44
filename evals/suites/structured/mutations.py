"""Instances that a schema must refuse, each one slip away from an instance that it takes.

Origin: the idea of mutated instances is MaskBench's (JSONSchemaBench, arXiv 2501.10868); the kinds
are the slips of models that call tools. A candidate that still validates, or breaks something else
than its kind is named for, is dropped, so what is returned is wrong for the reason given.

Example: `{"unit": "cm", "size": 3}` where `unit` is one of cm and inch: without `size`
(missing_required), `"size": "3"` (wrong_type), `"unit": "not cm"` (outside_enum), `"size": null`
(null_value), `"size": 3.5` (fraction), `"unasked": true` (extra_property).
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from evals.suites.structured.dialect import Schema
from evals.suites.structured.validation import breaches

UNASKED = "unasked"


@dataclass(frozen=True, slots=True)
class Mutation:
    """An invalid instance: how it went wrong, and the keyword it breaks."""

    name: str
    breaks: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class _Place:
    """A value inside an instance, the schema it must meet, and the way to it."""

    path: tuple[str | int, ...]
    value: JsonValue
    schema: Schema


def mutations(instance: JsonValue, schema: Schema, rng: random.Random) -> tuple[Mutation, ...]:
    """Return one invalid instance of each kind that the schema can tell; the draw picks where."""
    whole = _Place((), instance, schema)
    drawn = (_mutation(name, whole, rng) for name in KINDS)
    return tuple(mutation for mutation in drawn if mutation is not None)


def _mutation(name: str, whole: _Place, rng: random.Random) -> Mutation | None:
    breaks, others = KINDS[name]
    candidates = [
        _replaced(whole.value, place.path, other)
        for place in _places(whole)
        for other in others(place)
    ]
    wrong = [
        value
        for value in candidates
        if any(breaks in breach for breach in breaches(whole.schema, value))
    ]
    return Mutation(name, breaks, rng.choice(wrong)) if wrong else None


def _places(place: _Place) -> Iterator[_Place]:
    """Walk an instance along `properties` and `items`, the whole first."""
    yield place
    if isinstance(place.value, dict):
        fields = place.schema.get("properties", {})
        for name, value in place.value.items():
            if isinstance(fields.get(name), dict):
                yield from _places(_Place((*place.path, name), value, fields[name]))
    if isinstance(place.value, list) and isinstance(place.schema.get("items"), dict):
        for index, value in enumerate(place.value):
            yield from _places(_Place((*place.path, index), value, place.schema["items"]))


def _replaced(value: JsonValue, path: tuple[str | int, ...], other: JsonValue) -> JsonValue:
    """Return the value with another one at the end of the path; the old one stays as it is."""
    if not path:
        return other
    step, *rest = path
    if isinstance(value, dict):
        name = str(step)
        return {**value, name: _replaced(value[name], tuple(rest), other)}
    assert isinstance(value, list), f"a path leads through {value!r}"
    place = int(step)
    return [*value[:place], _replaced(value[place], tuple(rest), other), *value[place + 1 :]]


def _without_required(place: _Place) -> list[JsonValue]:
    if not isinstance(place.value, dict):
        return []
    needed = [name for name in place.schema.get("required", ()) if name in place.value]
    fields = place.value
    return [{name: fields[name] for name in fields if name != left} for left in needed]


def _other_type(place: _Place) -> list[JsonValue]:
    """Write a number as text, a list as its first element, a text as its length."""
    if isinstance(place.value, str):
        return [len(place.value)]
    if isinstance(place.value, list):
        return [*place.value[:1], json.dumps(place.value)]
    return [json.dumps(place.value)]


def _fraction(place: _Place) -> list[JsonValue]:
    is_integer = place.schema.get("type") == "integer"
    return [place.value + 0.5] if is_integer and isinstance(place.value, int | float) else []


def _null(_: _Place) -> list[JsonValue]:
    return [None]


def _outside_enum(place: _Place) -> list[JsonValue]:
    if "enum" not in place.schema:
        return []
    return [f"not {place.value}" if isinstance(place.value, str) else "other"]


def _with_unasked(place: _Place) -> list[JsonValue]:
    return [{**place.value, UNASKED: True}] if isinstance(place.value, dict) else []


KINDS: dict[str, tuple[str, Callable[[_Place], list[JsonValue]]]] = {
    "missing_required": ("required", _without_required),
    "wrong_type": ("type", _other_type),
    "fraction": ("type", _fraction),
    "null_value": ("type", _null),
    "outside_enum": ("enum", _outside_enum),
    "extra_property": ("additionalProperties", _with_unasked),
}
