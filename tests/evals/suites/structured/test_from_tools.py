import random
from typing import Any

import pytest
from pydantic import JsonValue

from evals.suites.bfcl import Call, Row
from evals.suites.structured import has_one_gold, mutations, read_schemas, schema_of, tool_item
from evals.suites.structured.dialect import Schema
from evals.suites.structured.mutations import KINDS
from evals.suites.structured.validation import breaches, check_schema, is_valid
from tests.evals.suites.structured.tools import COUNT, NUMBER, TEXT, TOOLS, UNIT, tool
from variants.errors import SourceError

SEEDS = range(60)
MEASURE = TOOLS[0][0]
each_tool = pytest.mark.parametrize(("function", "gold"), TOOLS, ids=lambda x: x.get("name", ""))


def test_a_functions_parameters_become_a_schema() -> None:
    nested = {"type": "dict", "properties": {"at": {"type": "tuple", "items": NUMBER}}}
    function = tool(
        "draw", ["unit"], unit={**UNIT, "optional": True}, box=nested, note={"type": "any"},
        rest={"type": "dict"}, text={**TEXT, "default": "a", "format": "date"},
    )  # fmt: skip
    schema = schema_of(function)
    assert schema == {
        "type": "object",
        "properties": {
            "unit": {"type": "string", "enum": ["cm", "inch"]},
            "box": {
                "type": "object",
                "properties": {"at": {"type": "array", "items": {"type": "number"}}},
                "required": [],
                "additionalProperties": False,
            },
            "note": {},
            "rest": {"type": "object"},
            "text": {"type": "string", "description": "Some text.", "format": "date"},
        },
        "required": ["unit"],
        "additionalProperties": False,
    }
    check_schema(schema)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"type": "HashMap"}, r"draw\.spots\[\] has the type 'HashMap'; known are dict"),
        ({"type": "string", "maxLength": 9}, r"draw\.spots\[\] has the word 'maxLength'; known"),
    ],
)
def test_what_json_lacks_or_nobody_knows_is_refused_with_its_place(
    field: dict[str, Any], told: str
) -> None:
    with pytest.raises(SourceError, match=told):
        schema_of(tool("draw", [], spots={"type": "array", "items": field}))


@each_tool
def test_the_gold_arguments_conform(function: dict[str, Any], gold: JsonValue) -> None:
    schema = schema_of(function)
    check_schema(schema)
    assert is_valid(schema, gold)


def row(*arguments: tuple[str, Any], accepted: dict[str, list[Any]] | None = None) -> Row:
    gold = Call("measure", arguments)
    return Row("simple_1", "Measure 3 cm.", (TOOLS[1][0], MEASURE), gold, accepted or {})


def test_a_row_becomes_an_item_of_its_function() -> None:
    item = tool_item(row(("unit", "cm"), ("size", 3)), random.Random(1))
    assert item is not None
    assert (item.id, item.family, item.request) == ("simple_1", "measure", "Measure 3 cm.")
    assert item.gold == {"unit": "cm", "size": 3}
    assert item.json_schema == schema_of(MEASURE)
    assert [one.breaks for one in item.invalid] == [
        "required", "type", "type", "type", "enum", "additionalProperties",
    ]  # fmt: skip
    assert not any(is_valid(item.json_schema, one.value) for one in item.invalid)


@pytest.mark.parametrize(
    "arguments",
    [
        [("unit", "mile"), ("size", 3)],  # not in the enum
        [("unit", "cm")],  # a required one is missing
        [("unit", "cm"), ("size", 3.5)],
        [("unit", "cm"), ("size", 3), ("depth", 1)],  # not a parameter
    ],
)
def test_a_row_whose_gold_contradicts_its_function_is_left_out(
    arguments: list[tuple[str, Any]],
) -> None:
    assert tool_item(row(*arguments), random.Random(1)) is None


def test_one_gold_is_one_accepted_value_of_each_argument() -> None:
    assert has_one_gold(row(accepted={"unit": ["cm"], "size": [3]}))
    assert not has_one_gold(row(accepted={"unit": ["cm", "centimetre"], "size": [3]}))
    assert not has_one_gold(row(accepted={"unit": ["cm", ""], "size": [3]}))  # may be left out


def drawn(instance: JsonValue, schema: Schema) -> dict[str, set[str]]:
    """Collect what each kind of mutation makes, over many seeds."""
    made: dict[str, set[str]] = {}
    for seed in SEEDS:
        for one in mutations(instance, schema, random.Random(seed)):
            made.setdefault(one.name, set()).add(repr(one.value))
    return made


def test_the_worked_example() -> None:
    made = drawn({"unit": "cm", "size": 3}, schema_of(MEASURE))
    assert made == {
        "missing_required": {"{'size': 3}", "{'unit': 'cm'}"},
        "wrong_type": {
            "{'unit': 2, 'size': 3}", "{'unit': 'cm', 'size': '3'}",
            """'{"unit": "cm", "size": 3}'""",
        },
        "fraction": {"{'unit': 'cm', 'size': 3.5}"},
        "null_value": {"None", "{'unit': None, 'size': 3}", "{'unit': 'cm', 'size': None}"},
        "outside_enum": {"{'unit': 'not cm', 'size': 3}"},
        "extra_property": {"{'unit': 'cm', 'size': 3, 'unasked': True}"},
    }  # fmt: skip


def test_mutations_reach_into_lists_and_objects() -> None:
    points: JsonValue = {"points": [{"x": 0, "y": 1}]}
    made = drawn(points, schema_of(TOOLS[6][0]))
    assert made["missing_required"] == {
        "{}", "{'points': [{'x': 0}]}", "{'points': [{'y': 1}]}",
    }  # fmt: skip
    assert made["extra_property"] == {
        "{'points': [{'x': 0, 'y': 1}], 'unasked': True}",
        "{'points': [{'x': 0, 'y': 1, 'unasked': True}]}",
    }
    assert "{'points': {'x': 0, 'y': 1}}" in made["wrong_type"]
    assert points == {"points": [{"x": 0, "y": 1}]}


def test_a_schema_that_takes_everything_has_no_mutations() -> None:
    assert mutations({"a": 1}, {}, random.Random(1)) == ()


@each_tool
def test_no_mutation_validates_and_equal_seeds_draw_alike(
    function: dict[str, Any], gold: JsonValue
) -> None:
    schema = schema_of(function)
    for seed in SEEDS:
        made = mutations(gold, schema, random.Random(seed))
        assert made == mutations(gold, schema, random.Random(seed))
        names = {one.name for one in made}
        assert "extra_property" in names
        assert ("missing_required" in names) is bool(schema["required"])
        for one in made:
            assert KINDS[one.name][0] == one.breaks
            assert any(one.breaks in breach for breach in breaches(schema, one.value))


@pytest.mark.parametrize("item", read_schemas(), ids=lambda item: item.id)
def test_no_mutation_of_our_own_schemas_validates(item: Any) -> None:
    for instance in (item.gold, *item.valid):
        for one in mutations(instance, item.json_schema, random.Random(1)):
            assert not is_valid(item.json_schema, one.value), one


def test_a_word_of_the_schema_that_names_a_parameter_is_no_keyword() -> None:
    """`type` is a parameter here: another value than 1, 2 and 3 breaks `enum`, not `type`."""
    function = tool("pick", ["type"], type={"enum": [1, 2, 3]}, count=COUNT)
    made = {x.name: x for x in mutations({"type": 2}, schema_of(function), random.Random(1))}
    assert made["outside_enum"].value == {"type": "other"}
    assert made["wrong_type"].value == '{"type": 2}'  # only the whole has a type to break
