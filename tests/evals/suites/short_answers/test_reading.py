from decimal import Decimal

import pytest

from evals.suites.short_answers.reading import bare, last_number, names_only, parts, plain


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("42", "42"),
        ("12 + 30 = 42.", "42"),
        ("It costs 1,250 euros", "1250"),
        ("$3.50", "3.5"),
        ("15km", "15"),
        ("-7", "-7"),
        ("−7", "-7"),
        ("5-3", "3"),  # a sum or a range, not minus three
        ("2, 4", "4"),
        ("12,34", "34"),  # no grouping of thousands
        ("Twelve eggs, then seven.", "7"),
        ("seven of 12", "12"),  # digits go first
    ],
)
def test_the_last_number_is_read(text: str, number: str) -> None:
    assert last_number(text) == Decimal(number)


@pytest.mark.parametrize("text", ["", "none", "B12", "often"])
def test_where_no_number_is_none_is_read(text: str) -> None:
    assert last_number(text) is None


def test_a_number_at_a_cut_may_go_on() -> None:
    assert last_number("that makes 12", is_cut=True) is None
    assert last_number("that makes 12 of them", is_cut=True) == 12
    assert last_number("that makes 12", is_cut=False) == 12


@pytest.mark.parametrize(
    "text", ["Drawer", " the drawer. ", "**drawer**", "The answer is: the Drawer", "Answer: drawer",
             "It is the drawer", "final answer is “drawer”"]
)  # fmt: skip
def test_text_is_read_without_case_articles_punctuation_and_lead(text: str) -> None:
    assert plain(text) == "drawer"


def test_text_keeps_every_other_word() -> None:
    assert plain("in the drawer") == "in drawer"
    assert plain("answers") == "answers"
    assert plain("A.") == "a"  # a letter that was asked for


@pytest.mark.parametrize(
    "text", ["7, 19, 31", "7\n19\n31", "1. 7\n2. 19\n3. 31", "- 7\n- 19\n- 31", "7, 19 and 31.",
             "7; 19; 31", "The answer is 7, 19, 31"]
)  # fmt: skip
def test_a_list_is_read_in_its_order(text: str) -> None:
    assert parts(text) == ["7", "19", "31"]


def test_another_order_is_another_list() -> None:
    assert parts("19, 7, 31") != parts("7, 19, 31")


def test_exact_keeps_case_and_what_is_inside() -> None:
    assert bare(' "K7-QX4".\n') == bare("K7-QX4")
    assert bare("`LANTERN`") == "LANTERN"
    assert bare("Lantern") != bare("LANTERN")
    assert bare("K7 QX4") != bare("K7-QX4")


def test_only_the_right_one_may_be_named() -> None:
    assert names_only("It is in the drawer now.", "drawer", ("box", "shed"))
    assert not names_only("First in the box, then in the drawer.", "drawer", ("box", "shed"))
    assert not names_only("In the drawers.", "drawer", ("box", "shed"))
    assert not names_only("", "drawer", ())
