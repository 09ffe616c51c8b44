import threading
import time
from typing import Any

import pytest

from evals.suites.calls import Call, Failure, ToolCall, parse_text, parse_tool_calls, render

AREA = Call("area", {"base": 10})
PLACE = Call("geo.locate", {"city": "Bonn"})


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[area(base=10), geo.locate(city='Bonn')]", (AREA, PLACE)),
        ("area(base=10)", (AREA,)),
        ("area(base=10), geo.locate(city='Bonn')", (AREA, PLACE)),
        ("  [area(\n  base = 10,\n)]\n", (AREA,)),
        ("```python\n[area(base=10)]\n```", (AREA,)),
        ("```\narea(base=10)\n```", (AREA,)),
        ("```area(base=10)```", (AREA,)),
        ("[]", ()),
        ("now()", (Call("now", {}),)),
    ],
)
def test_calls_are_read(text: str, calls: tuple[Call, ...]) -> None:
    assert parse_text(text) == calls


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("-2", -2),
        ("- 2.5e-3", -0.0025),
        (".5", 0.5),
        ("1_000", 1000),
        ("None", None),
        ("True", True),
        ("'it\\'s'", "it's"),
        ('"a" "b"', "ab"),
        ("r'\\d'", "\\d"),
        ("'''a\n'b'''", "a\n'b"),
        ("'" + "(" * 50 + "'", "(" * 50),
        ("[1, [2.0, ()]]", [1, [2.0, ()]]),
        ("(1, 2)", (1, 2)),
        ("{'a': {'b': [None]}}", {"a": {"b": [None]}}),
        ("'München 东京'", "München 东京"),
    ],
)
def test_literals_are_values(written: str, value: Any) -> None:
    parsed = parse_text(f"f(x={written})")
    assert repr(parsed) == repr((Call("f", {"x": value}),))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no Python"),
        ("I cannot do that.", "no Python"),
        ("I will call area(base=10)", "no Python"),
        ("[area(base=10)", "never closed"),
        ("area", "a Name where a call should stand"),
        ("[area(base=10), 5]", "a Constant where a call should stand"),
        ("area(10)", "area has a positional argument"),
        ("area(base=10, base=11)", "area has base twice"),
        ("area(*sides)", "'*sides)' where a call or a literal should stand"),
        ("area(**sides)", "'**sides)' where"),
        ("area(base=side(n=1))", "a Call where a literal should stand"),
        ("area(base=[n for n in x])", "'for n in x])' where"),
        ("area(base=x)", "a Name where a literal should stand"),
        ("area(base=2+3)", "'+3)' where"),
        ("area(base=--2)", "'--2)' where"),
        ("area(base=not 1)", "'not 1)' where"),
        ("area(base=lambda: 1)", "'lambda: 1)' where"),
        ("area(base=x[0])", "a Subscript where a literal should stand"),
        ("area(base=f'{1}')", "where a call or a literal"),
        ("area(base=b'1')", "where a call or a literal"),
        ("area(base=2j)", "'2j)' where"),
        ("area(base=...)", "a ellipsis, which no JSON can hold"),
        ("area(base={1: 2})", "a key that is no string"),
        ("area(base={'a': 1, 'a': 2})", "a key that is there twice"),
        ("area(base=1e999)", "a number that is not finite"),
        ("area(base=9223372036854775808)", "a whole number of more than 63 bits"),
        ("area(base=1)(height=2)", "where a function's name should stand"),
        ("sides()[0](base=1)", "where a function's name should stand"),
        ("import os", "'import os' where"),
        ("area(base=1); area(base=2)", "'; area(base=2)' where"),
        ("area(base=1)\narea(base=2)", "no Python"),
        ("area(base='\0')", "null bytes"),
        ("area(base='\ud800')", "surrogates"),
        ("f(x=" + "[" * 16, "brackets more than 16 deep"),
        ("f(x='" + "a" * 20_000 + "')", "20,007 characters, and 20,000 are read"),
    ],
)
def test_everything_else_is_a_parse_error_with_words(text: str, words: str) -> None:
    failure = parse_text(text)
    assert isinstance(failure, Failure)
    assert failure.kind == "parse_error"
    assert words in failure.words


UNITS = (
    "(", "[", "{", "[{", "f(a=", "{'a':", "-", "- ", "~", "not ", "a.", "a+", "a**", "f()", "a[0]",
    "lambda:", "1if 1else ", "a,", "'a' ", "f(a=1),", "await ", "x:=", "1 and ", "9", ".9", "9_",
    "'", '"', "'''", "\\", "\n", "\t", "\0", "\ud800", "`", "```", "#", "f'{", "b'a'", "é",
    "\u3000", "<tool_call>", '{"name": "f", ',
)  # fmt: skip


def hostile() -> None:
    for unit in UNITS:
        for before, after in (("", ""), ("f(a=", ")"), ("f(a=", "1)"), ("f(a=", "a")):
            for length in (60, 2_000, 19_000, 200_000):
                began = time.monotonic()
                text = before + unit * (length // len(unit)) + after
                parse_text(text)
                parse_tool_calls((ToolCall("f", text),), {})
                assert time.monotonic() - began < 2.0, (unit, length)


def test_no_text_crashes_or_hangs_even_on_a_small_stack() -> None:
    """512 KiB is what some systems give a thread; Python's own parser dies there of "----1"."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            hostile()
        except BaseException as problem:
            failed.append(problem)

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert failed == []


def test_what_is_rendered_is_read_again() -> None:
    calls = (AREA, Call("f", {"a": [1.5, None, {"b": (True, "it's\n")}], "c": -0.1}), Call("g", {}))
    assert parse_text(render(calls)) == calls


def arguments(text: str) -> object:
    return parse_tool_calls((ToolCall("geo_area", text),), {"geo_area": "geo.area"})


def test_tool_calls_get_their_documented_names_back() -> None:
    assert arguments('{"base": 10, "points": [1.0, null]}') == (
        Call("geo.area", {"base": 10, "points": [1.0, None]}),
    )
    assert parse_tool_calls((ToolCall("other", "{}"),), {}) == (Call("other", {}),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"),
        ('{"base": 10', "Expecting ',' delimiter"),
        ("null", "a NoneType where an object should stand"),
        ("[1]", "a list where an object should stand"),
        ('{"base": 1, "base": 2}', "a key that is there twice"),
        ('{"a": {"b": 1, "b": 2}}', "a key that is there twice"),
        ('{"base": NaN}', "a number that is not finite"),
        ('{"base": 1e999}', "a number that is not finite"),
        ('{"base": 9223372036854775808}', "more than 63 bits"),
        ('{"base": ' + "9" * 5_000 + "}", "4300 digits"),
        ('{"a": ' * 17, "brackets more than 16 deep"),
        ("{'base': 10}", "double quotes"),
    ],
)
def test_arguments_that_are_no_json_object(text: str, words: str) -> None:
    failure = arguments(text)
    assert isinstance(failure, Failure)
    assert failure.kind == "parse_error"
    assert words in failure.words
