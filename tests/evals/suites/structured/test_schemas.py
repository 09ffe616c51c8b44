"""The schemas are what they say: valid ones validate, each invalid one breaks its word."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from evals.suites.structured import SchemaItem, judge, read_schemas
from evals.suites.structured.dialect import python_pattern
from evals.suites.structured.equality import is_same
from evals.suites.structured.schemas import Broken
from evals.suites.structured.validation import breaches, check_schema, is_valid
from evals.suites.written import Answer

ITEMS = read_schemas()
each_item = pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
LEADING = {"$ref", "$defs", "$anchor", "if"}  # they lead to what is broken
UNDER_TEST = {
    "pattern", "minLength", "maxLength", "format", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "contains",
    "minContains", "maxContains", "prefixItems", "items", "additionalProperties",
    "patternProperties", "propertyNames", "minProperties", "maxProperties", "required",
    "dependentRequired", "dependentSchemas", "if", "then", "else", "oneOf", "anyOf", "allOf", "not",
    "const", "enum", "type", "$ref", "$defs", "$anchor", "unevaluatedProperties",
    "unevaluatedItems",
}  # fmt: skip
# Their request spells a value in other words: a date, or parts to be put together.
SPELLED = {
    "pattern-alternatives", "format-date", "format-time", "format-date-time",
    "format-with-pattern", "invoice",
}  # fmt: skip
OPEN_REPETITION = re.compile(r"[^\\][+*]|\{\d+,\}")
REPEATED_GROUP = re.compile(r"\)[+*?{]")


def leaves(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        yield from (leaf for one in inner for leaf in leaves(one))
    else:
        yield value


def names(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        yield from (name for one in inner for name in names(one))


def depth(value: JsonValue) -> int:
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inner), default=0)


def found(schema: Any, keyword: str) -> Iterator[Any]:
    """Find what stands at a keyword, anywhere."""
    if isinstance(schema, dict):
        yield from ([schema[keyword]] if keyword in schema else [])
    if isinstance(schema, dict | list):
        inner = schema.values() if isinstance(schema, dict) else schema
        yield from (one for part in inner for one in found(part, keyword))


def patterns(schema: Any) -> set[str]:
    named = {name for fields in found(schema, "patternProperties") for name in fields}
    return named | {one for one in found(schema, "pattern") if isinstance(one, str)}


PATTERNS = sorted({pattern for item in ITEMS for pattern in patterns(item.json_schema)})


def test_there_are_enough_and_their_names_differ() -> None:
    assert len(ITEMS) >= 64
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    assert len({item.request for item in ITEMS}) == len(ITEMS)


def test_every_keyword_that_may_be_dropped_is_under_test() -> None:
    assert {keyword for item in ITEMS for keyword in item.keywords} == UNDER_TEST


def test_a_family_is_a_cluster_of_several() -> None:
    families = [item.family for item in ITEMS]
    assert min(map(families.count, families)) >= 3


@each_item
def test_it_is_a_schema_that_holds_what_it_tests(item: SchemaItem) -> None:
    check_schema(item.json_schema)
    assert all(list(found(item.json_schema, keyword)) for keyword in item.keywords)


@each_item
def test_its_valid_instances_validate_and_are_not_gold(item: SchemaItem) -> None:
    assert is_valid(item.json_schema, item.gold)
    assert len(item.valid) >= 2
    assert [one for one in item.valid if not is_valid(item.json_schema, one)] == []
    assert [one for one in item.valid if is_same(one, item.gold)] == []


@each_item
def test_each_invalid_instance_breaks_one_thing_and_that_is_its_keyword(item: SchemaItem) -> None:
    assert len(item.invalid) >= 3
    for broken in item.invalid:
        (breach,) = breaches(item.json_schema, broken.value)
        assert broken.breaks in breach, broken.value


@each_item
def test_every_keyword_it_tests_is_broken_by_one_of_its_instances(item: SchemaItem) -> None:
    broken = [breaches(item.json_schema, one.value)[0] for one in item.invalid]
    assert set(item.keywords) - LEADING <= frozenset().union(*broken)


@each_item
def test_its_request_names_every_fact(item: SchemaItem) -> None:
    given = {name for fields in found(item.json_schema, "properties") for name in fields}
    assert [name for name in set(names(item.gold)) - given if name not in item.request] == []
    said = item.request.lower()
    facts = [one for one in leaves(item.gold) if one is not None and not isinstance(one, bool)]
    unsaid = [one for one in facts if str(one).lower() not in said]
    assert not unsaid or item.id in SPELLED


@each_item
def test_gold_is_right_others_are_wrong_and_the_invalid_are_invalid(item: SchemaItem) -> None:
    def failure(value: JsonValue) -> str | None:
        answer = Answer(json.dumps(value, indent=2))
        return judge(answer, item.json_schema, item.gold).error

    assert failure(item.gold) is None
    assert {failure(one) for one in item.valid} == {"wrong_value"}
    assert {failure(one.value) for one in item.invalid} == {"invalid"}


@each_item
def test_an_answer_that_breaks_off_is_never_json(item: SchemaItem) -> None:
    text = json.dumps(item.gold, ensure_ascii=False)
    for end in range(len(text)):
        judgement = judge(Answer(text[:end]), item.json_schema, item.gold)
        assert not (judgement.is_json or judgement.is_valid or judgement.is_equal)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_is_read_in_linear_time(pattern: str) -> None:
    """At most one open repetition, anchored, in no group that repeats: nothing to try twice."""
    re.compile(python_pattern(pattern))
    num_open = len(OPEN_REPETITION.findall(pattern))
    assert num_open == 0 or (num_open == 1 and pattern.startswith("^"))
    assert not REPEATED_GROUP.search(pattern)


def test_golds_stay_far_from_the_limit_of_nesting() -> None:
    assert max(depth(item.gold) for item in ITEMS) == 6


def test_an_item_with_a_word_too_many_is_refused() -> None:
    with pytest.raises(ValidationError, match="why"):
        Broken.model_validate({"breaks": "type", "value": 1, "why": "x"})
