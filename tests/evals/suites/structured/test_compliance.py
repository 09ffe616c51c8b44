import pytest
from pydantic import JsonValue

from evals.suites.structured import Judgement, judge
from evals.suites.structured.compliance import CUT_OFF, Failure
from evals.suites.structured.dialect import Schema
from evals.suites.structured.equality import is_same
from evals.suites.structured.strict_json import MAX_DEPTH, Document, holds_document, read_document
from evals.suites.written import Answer

SCHEMA: Schema = {
    "type": "object",
    "properties": {"age": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["age"],
    "additionalProperties": False,
}
GOLD: JsonValue = {"age": 30, "name": "Zoë"}
RIGHT = '{"age": 30, "name": "Zoë"}'


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (RIGHT, None),
        ("\n  " + RIGHT + " \n", None),
        ('{"name": "Zoë", "age": 30.0}', None),
        ('{"name": "Zoe\\u0308 ", "age": 3e1}', None),  # e and a diaeresis of its own
        ('{"age": 31, "name": "Zoë"}', "wrong_value"),
        ('{"age": 30, "name": "zoë"}', "wrong_value"),
        ('{"age": 30}', "wrong_value"),
        ('{"age": "30", "name": "Zoë"}', "invalid"),
        ('{"age": 30, "name": "Zoë", "x": 1}', "invalid"),
        ('{"name": "Zoë"}', "invalid"),
        ("[]", "invalid"),
        ("30", "invalid"),
        ("null", "invalid"),
        (f"Here it is: {RIGHT}", "text_around_json"),
        (f"{RIGHT}\nDone.", "text_around_json"),
        (RIGHT * 2, "text_around_json"),
        (f"```json\n{RIGHT}\n```", "text_around_json"),
        (f"\ufeff{RIGHT}", "text_around_json"),
        ("", "no_json"),
        ("thirty", "no_json"),
        (RIGHT[:-1], "no_json"),
        (RIGHT.replace('"', "'"), "no_json"),
        ('{"age": 30, "age": 30, "name": "Zoë"}', "no_json"),
        ('{"age": 30, "\\u0061ge": 30}', "no_json"),  # the same name, written otherwise
        ('{"age": NaN}', "no_json"),
        ('{"age": -Infinity}', "no_json"),
        ('{"age": 1e999}', "no_json"),
        ('{"age": 1' + "0" * 400 + "}", "no_json"),
        ('{"age": 1' + "0" * 5000 + "}", "no_json"),
        ("{" * 100_000, "no_json"),
        ("[" * 100_000 + "]" * 100_000, "no_json"),
        ('{"age":' * 50_000 + "1" + "}" * 50_000, "no_json"),
        ('{"age": 30, "name": "\\ud800"}', "wrong_value"),  # half of a pair
    ],
)
def test_what_is_wrong_with_an_answer(text: str, failure: Failure | None) -> None:
    judgement = judge(Answer(text), SCHEMA, GOLD)
    assert judgement.error == failure
    is_json = failure in (None, "wrong_value", "invalid")
    is_valid = failure in (None, "wrong_value")
    assert judgement.is_json is is_json
    assert judgement.is_valid is is_valid
    assert judgement.is_equal is (failure is None)


@pytest.mark.parametrize("text", [RIGHT, RIGHT + "\n" * 50, RIGHT[:9], ""])
def test_an_answer_that_ran_into_the_limit_is_a_failure(text: str) -> None:
    assert judge(Answer(text, is_cut=True), SCHEMA, GOLD) == CUT_OFF
    assert judge(Answer(text, is_cut=True), SCHEMA, GOLD, takes_fence=True) == CUT_OFF


def test_a_fence_is_judged_where_it_is_allowed() -> None:
    answer = Answer(f"\n```json\n{RIGHT}\n```\n")
    assert judge(answer, SCHEMA, GOLD) == Judgement(False, True, False, False, "text_around_json")
    allowed = judge(answer, SCHEMA, GOLD, takes_fence=True)
    assert allowed == Judgement(False, True, True, True, None)
    wrong = judge(Answer('```\n{"age": 1}\n```'), SCHEMA, GOLD, takes_fence=True)
    assert wrong == Judgement(False, True, True, False, "wrong_value")
    invalid = judge(Answer("```JSON\r\n[]```"), SCHEMA, GOLD, takes_fence=True)
    assert invalid == Judgement(False, True, False, False, "invalid")


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (f"Sure:\n```json\n{RIGHT}\n```", "text_around_json"),
        (f"```json\n{RIGHT}\n```\nDone.", "text_around_json"),
        (f"```json\n{RIGHT}\n", "text_around_json"),
        (f"```json\n{RIGHT}\n```\n```json\n{RIGHT}\n```", "text_around_json"),
        (f"```json {RIGHT}```", "text_around_json"),
        ("```json\nthirty\n```", "no_json"),
        ("```", "no_json"),
        ("``````", "no_json"),
    ],
)
def test_what_is_more_or_less_than_a_fence(text: str, failure: Failure) -> None:
    judgement = judge(Answer(text), SCHEMA, GOLD, takes_fence=True)
    assert judgement == Judgement(False, False, False, False, failure)


def test_a_bare_answer_is_not_fenced_though_it_holds_a_fence() -> None:
    text = '{"age": 30, "name": "```"}'
    judgement = judge(Answer(text), SCHEMA, GOLD, takes_fence=True)
    assert judgement == Judgement(True, False, True, False, "wrong_value")
    fenced = judge(Answer(f"```\n{text}\n```"), SCHEMA, GOLD, takes_fence=True)
    assert fenced == Judgement(False, True, True, False, "wrong_value")


TREE: Schema = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/node"}, {"const": 1}]}}
    },
}


def test_the_deepest_text_that_is_read_can_be_judged() -> None:
    deepest = "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH
    assert judge(Answer(deepest), TREE, []).error == "wrong_value"
    assert judge(Answer(f"[{deepest}]"), TREE, []).error == "no_json"
    wrong = deepest.replace("1", "2")
    assert judge(Answer(wrong), TREE, []).error == "invalid"


def test_null_is_a_document() -> None:
    assert read_document("null") == Document(None)
    assert read_document("") is None
    assert judge(Answer("null"), {"type": "null"}, None).error is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a {"b": 1} c', True),
        ("a [1, 2] c", True),
        ('[note] {"b": 1}', True),  # an array that is none, then an object
        ('{"a": {"b": 1}', False),  # the inner one is part of what broke off
        ('{"a": [1], ', False),
        ("{a} [b]", False),
        ("plain", False),
    ],
)
def test_a_document_in_a_text(text: str, expected: bool) -> None:
    assert holds_document(text) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 1.0, True),
        (0, -0.0, True),
        (9007199254740993, 9007199254740992.0, False),  # a double cannot tell them; an integer can
        (1, True, False),
        (0, False, False),
        (True, True, True),
        (None, None, True),
        (None, False, False),
        (0, None, False),
        ("1", 1, False),
        ("a", " a\n", True),
        ("a b", "a  b", False),
        ("", " ", True),
        ("é", "e\u0301", True),
        ("ﬁ", "fi", False),  # a ligature is no composition
        ([1, 2], [1.0, 2.0], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([], {}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a ": 1}, False),
        ({"é": [1]}, {"e\u0301": [1]}, True),
        ({"é": 1, "e\u0301": 1}, {"é": 1}, False),
        ({"é": 1, "e\u0301": 1}, {"é": 1, "b": 1}, False),
        ({"a": [{"b": "c"}]}, {"a": [{"b": "c "}]}, True),
    ],
)
def test_what_means_the_same(one: JsonValue, other: JsonValue, expected: bool) -> None:
    assert is_same(one, other) is expected
    assert is_same(other, one) is expected
