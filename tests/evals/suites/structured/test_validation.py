import re

import pytest
from pydantic import JsonValue

from evals.suites.structured.dialect import Schema, python_pattern
from evals.suites.structured.formats import FORMATS
from evals.suites.structured.validation import breaches, check_schema, is_valid
from variants.errors import StudyError


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^[a-z]+$", r"(?a:^[a-z]+\Z)"),
        (r"^a\$$", r"(?a:^a\$\Z)"),  # the first is a dollar sign
        ("[$€]", "(?a:[$€])"),  # so is this one
        (r"[\]$]$", r"(?a:[\]$]\Z)"),
        ("^a$|^b$", r"(?a:^a\Z|^b\Z)"),
    ],
)
def test_a_pattern_is_written_for_python(pattern: str, expected: str) -> None:
    assert python_pattern(pattern) == expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"pattern": "^[a-z]+$"}, "ab", True),
        ({"pattern": "^[a-z]+$"}, "ab\n", False),
        ({"pattern": r"^\d$"}, "3", True),
        ({"pattern": r"^\d$"}, "٣", False),  # a digit of another script
        ({"pattern": "^a"}, 5, True),  # says nothing of numbers
        ({"patternProperties": {"^x$": {"type": "string"}}}, {"x": 1}, False),
        ({"patternProperties": {"^x$": {"type": "string"}}}, {"x\n": 1}, True),
        ({"patternProperties": {"^x$": {}}, "additionalProperties": False}, {"x\n": 1}, False),
        ({"patternProperties": {"^x$": {}, "^y": {}}, "additionalProperties": False}, {"y": 1},
         True),
        ({"properties": {"a": {"pattern": "b$"}}}, {"a": "b\n"}, False),
        ({"allOf": [{"not": {"pattern": "b$"}}]}, "b\n", True),
        ({"properties": {"pattern": {"type": "string"}}}, {"pattern": "$"}, True),  # a name
        ({"enum": [{"pattern": "a$"}]}, {"pattern": "a$"}, True),  # a value
        ({"format": "date"}, "2023-02-29", False),
        ({"format": "date"}, 5, True),
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"const": 1}, True, False),
        ({"$defs": {"a": {"pattern": "a$"}}, "$ref": "#/$defs/a"}, "a\n", False),
    ],
)  # fmt: skip
def test_what_conforms(schema: Schema, value: JsonValue, expected: bool) -> None:
    check_schema(schema)
    assert is_valid(schema, value) is expected


def test_a_breach_names_keywords_and_no_properties() -> None:
    schema: Schema = {
        "properties": {"type": {"enum": ["a"]}, "properties": {"minimum": 3}},
        "required": ["type"],
    }
    assert breaches(schema, {"type": "b"}) == (frozenset({"properties", "enum"}),)
    assert breaches(schema, {"type": "a", "properties": 2}) == (
        frozenset({"properties", "minimum"}),
    )
    assert breaches(schema, {}) == (frozenset({"required"}),)
    assert breaches(schema, {"type": "a"}) == ()


def test_counts_of_contains_are_named() -> None:
    schema: Schema = {"contains": {"const": 0}, "minContains": 2, "maxContains": 2}
    assert breaches(schema, [0]) == (frozenset({"contains", "minContains"}),)
    assert breaches(schema, [0, 0, 0]) == (frozenset({"contains", "maxContains"}),)
    assert breaches(schema, [1]) == (frozenset({"contains"}),)


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"maxLenght": 3}, "keyword 'maxLenght' is not known"),
        ({"properties": {"a": {"items": {"optional": True}}}}, "keyword 'optional' is not known"),
        ({"format": "color"}, "format 'color' is not checked"),
        ({"type": "float"}, "no JSON Schema of Draft 2020-12: 'float'"),
        ({"minLength": -1}, "no JSON Schema of Draft 2020-12: -1"),
        ({"required": "a"}, "no JSON Schema of Draft 2020-12: 'a'"),
    ],
)
def test_a_schema_that_would_bind_nobody_is_refused(schema: Schema, told: str) -> None:
    with pytest.raises(StudyError, match=re.escape(told)):
        check_schema(schema)


GOOD = {
    "date": ["2024-02-29", "0001-01-01"],
    "time": ["08:30:00Z", "23:59:59.125+05:30", "00:00:00z", "12:00:00-00:00"],
    "date-time": ["2024-02-29T08:30:00Z", "2024-02-29t08:30:00.5-01:00"],
    "hostname": ["a", "a-1.example", "1.2", "a" * 63 + ".org"],
    "email": ["a@b", "a.b+c@example.org", "o'hara@example.org"],
    "ipv4": ["0.0.0.0", "255.255.255.255"],
    "ipv6": ["::", "2001:db8::1", "::ffff:192.0.2.1"],
    "uuid": ["0f8e2b6c-41d7-4c3a-9b52-6d7e8f901a2b", "00000000-0000-0000-0000-000000000000"],
    "uri": ["urn:a:b", "https://a.example:80/b?c=%20#d", "mailto:a@b", "http://[::1]/"],
}
BAD = {
    "date": ["2023-02-29", "20240229", "2024-2-9", "2024-W09-4", "2024-02-29\n", "٢٠٢٤-02-29", ""],
    "time": ["08:30:00", "24:00:00Z", "08:60:00Z", "08:30Z", "08:30:00+24:00", "08:30:00.Z", ""],
    "date-time": ["2024-02-29 08:30:00Z", "2024-02-30T08:30:00Z", "2024-02-29T08:30:00", "T", ""],
    "hostname": ["", "a..b", "-a", "a-", "a_b", "a.", "a" * 64, ".".join(["a" * 60] * 5)],
    "email": ["a", "a@", "@b", "a b@c", "a@b@c", "a@b_c", ""],
    "ipv4": ["1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4/8", "1.2.3.4 ", ""],
    "ipv6": ["1::2::3", "12345::", "1.2.3.4", "fe80::1%eth0", ""],
    "uuid": ["0f8e2b6c41d74c3a9b526d7e8f901a2b", "{0f8e2b6c-41d7-4c3a-9b52-6d7e8f901a2b}", ""],
    "uri": ["a", "/a", "http://a b", "1a:b", "http://a/%2", "http://ä.example", ":", ""],
}


@pytest.mark.parametrize("name", FORMATS)
def test_what_has_a_format(name: str) -> None:
    assert [text for text in GOOD[name] if not FORMATS[name](text)] == []
    assert [text for text in BAD[name] if FORMATS[name](text)] == []
