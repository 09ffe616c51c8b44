from pathlib import Path

import pytest

from evals.suites.bfcl import Call, Row, addresses, normal, rows
from evals.suites.item import Item, Request
from evals.suites.tool_calling import MAX_CONTEXT_TOKENS, SUITE
from tests.evals.suites.toy import AREA, PERIMETER, Line, Objects, WordTokenizer, write_leaderboard

QUESTION = "What is the area of a triangle of base 10 cm and height 5 cm?"
TRUTH: Objects = [{"area": {"base": [10], "height": [5, "five"], "unit": ["", "cm"]}}]
GOOD = ("simple_1", QUESTION, [AREA, PERIMETER], TRUTH)


def read(folder: Path, *lines: Line) -> list[Row]:
    return rows(write_leaderboard(folder, list(lines)))


def test_a_row_is_read_with_its_first_accepted_values(tmp_path: Path) -> None:
    (row,) = read(tmp_path, GOOD)
    assert row.gold == Call("area", (("base", 10), ("height", 5)))  # unit may be left out
    assert row.gold.render() == "area(base=10, height=5)"
    assert row.question == QUESTION
    assert row.accepts("height", "Five")
    assert not row.accepts("height", 10)
    assert not row.accepts("depth", 5)


def test_a_required_argument_is_kept_though_it_may_be_empty(tmp_path: Path) -> None:
    truth: Objects = [{"area": {"base": [10], "height": ["", 5]}}]
    (row,) = read(tmp_path, ("simple_2", QUESTION, [AREA], truth))
    assert row.gold.arguments == (("base", 10), ("height", 5))


@pytest.mark.parametrize(
    "line",
    [
        ("live_simple_106-63-0", QUESTION, [AREA], TRUTH),  # reported wrong upstream
        ("simple_3", QUESTION, [PERIMETER], TRUTH),  # the answer is not offered
        ("simple_4", QUESTION, [AREA], [*TRUTH, *TRUTH]),  # two calls
        ("simple_5", QUESTION, [AREA], []),  # no answer
        ("simple_6", QUESTION, [AREA], [{"area": {"base": [{"a": 1}]}}]),  # nested value
        ("simple_7", QUESTION, [AREA], [{"area": {"base": [[{"a": 1}]]}}]),
        ("simple_8", QUESTION, [AREA], [{"area": {"unit": [""]}}]),  # nothing to say
    ],
)
def test_rows_that_cannot_be_used_are_left_out(tmp_path: Path, line: Line) -> None:
    assert [row.id for row in read(tmp_path, line, GOOD)] == ["simple_1"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("New York, NY", "new york ny"), ("a-b_c", "ABC"), (5, 5), ([1, "A"], [1, "a"])],
)
def test_values_that_the_checker_takes_for_equal(
    one: str | int | list[object], other: str | int | list[object]
) -> None:
    assert normal(one) == normal(other)
    assert normal(one) != normal("something else")


def items(folder: Path, *lines: Line) -> tuple[Item, ...]:
    files = write_leaderboard(folder, list(lines))
    return SUITE.items(Request(100, 1, WordTokenizer(), files))


def test_the_worked_example(tmp_path: Path) -> None:
    (item,) = items(tmp_path, GOOD)
    assert item.cluster == "area"
    assert item.options == (
        "area(base=10, height=5)",
        "area(base=5, height=10)",  # values exchanged
        "area(base=11, height=5)",  # a near number
        "perimeter(base=10, height=5)",  # another function offered
        "area(unit=10, height=5)",  # another parameter's name
        "area(base=9, height=5)",  # the next near number
    )
    assert QUESTION in item.context
    assert "area(base: integer, height: integer, unit: string) - area of a shape" in item.context


def test_corruptions_have_the_golds_length_and_are_no_accepted_answer(tmp_path: Path) -> None:
    tokenizer = WordTokenizer()
    truth: Objects = [{"area": {"base": [10, 11], "height": [5, 10], "unit": ["cm"]}}]
    files = write_leaderboard(tmp_path, [GOOD, ("simple_2", QUESTION, [AREA, PERIMETER], truth)])
    for item in SUITE.items(Request(100, 1, tokenizer, files)):
        lengths = {len(tokenizer.encode(option)) for option in item.options}
        assert len(lengths) == 1
        assert len(set(item.options)) == 6
        accepted = {10, 11} if item.id == "simple_2" else {10}
        heights = {5, 10} if item.id == "simple_2" else {5}
        good = {f"area(base={b}, height={h}, unit='cm')" for b in accepted for h in heights}
        good |= {f"area(base={b}, height={h})" for b in accepted for h in heights}
        assert good.isdisjoint(item.options[1:])


def test_an_item_that_is_too_long_or_too_plain_is_left_out(tmp_path: Path) -> None:
    long = ("simple_2", QUESTION + " please" * MAX_CONTEXT_TOKENS, [AREA, PERIMETER], TRUTH)
    alone: dict[str, object] = {
        "name": "ring",
        "description": "Ring.",
        "parameters": {"properties": {"bell": {"type": "string"}}, "required": ["bell"]},
    }
    plain = ("simple_3", "Ring it", [alone], [{"ring": {"bell": ["it"]}}])
    assert [item.id for item in items(tmp_path, GOOD, long, plain)] == ["simple_1"]


def test_every_file_has_a_pinned_address() -> None:
    assert len(addresses()) == 8
    assert SUITE.data == addresses()
    assert SUITE.chance == 1 / 6
