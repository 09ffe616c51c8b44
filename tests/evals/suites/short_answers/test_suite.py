import re
from collections import Counter
from datetime import date
from functools import cache

import pytest

from evals.suites.item import Request
from evals.suites.short_answers.suite import MAX_TOKENS, NUM_OF_EACH, SUITE, TEMPLATES
from evals.suites.short_answers.template import Asked
from evals.suites.written import Answer, Question, questions_sha256
from tests.evals.suites.toy import WordTokenizer


@cache
def drawn(num_items: int = 10**6, seed: int = 3) -> tuple[Question, ...]:
    return SUITE.items(Request(num_items, seed, WordTokenizer()))


def asked(question: Question) -> Asked:
    """What the program knows; the mark carries it."""
    found = question.mark.args[0]  # type: ignore[attr-defined]
    assert isinstance(found, Asked)
    return found


def of(template: str) -> list[tuple[str, str]]:
    """Question and gold answer of each item of a template."""
    items = [asked(one) for one in drawn() if one.cluster == template]
    assert len(items) == NUM_OF_EACH
    return [(one.words, one.answer) for one in items]


def numbers(words: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", words)]


def test_there_are_many_templates_and_every_item_is_another() -> None:
    assert len(TEMPLATES) >= 50
    assert len(drawn()) == len(TEMPLATES) * NUM_OF_EACH >= 1500
    assert len({one.words for one in drawn()}) == len(drawn())
    assert len({one.id for one in drawn()}) == len(drawn())
    assert set(Counter(one.cluster for one in drawn()).values()) == {NUM_OF_EACH}
    assert {one.max_tokens for one in drawn()} == {MAX_TOKENS}


@pytest.mark.parametrize("seed", [0, 1, 20261129])
def test_the_gold_answer_is_right_and_another_item_s_is_not(seed: int) -> None:
    for one in drawn(seed=seed):
        known = asked(one)
        assert one.mark(Answer(known.answer)).is_correct, one
        assert one.mark(Answer(f"{known.answer}.")).is_correct, one
        assert not one.mark(Answer("")).is_correct
        assert not one.mark(Answer("unknown")).is_correct
        for other in known.others:
            assert not one.mark(Answer(other)).is_correct, one


def test_what_can_be_chosen_from_is_more_than_the_answer_where_it_is_no_copy() -> None:
    chosen = [one for one in drawn() if one.mark.args[1] == "one-of"]  # type: ignore[attr-defined]
    assert all(asked(one).others for one in chosen if not one.cluster.startswith("copy-"))
    assert all(asked(one).answer not in asked(one).others for one in chosen)


def test_an_echo_of_the_question_is_right_only_where_a_copy_is_asked() -> None:
    """Else it is right by chance, where the last number of the question is the one asked for."""
    right = Counter(one.cluster for one in drawn() if one.mark(Answer(asked(one).words)).is_correct)
    copies = ("copy-number", "copy-quoted", "copy-name", "copy-city", "copy-colour", "copy-job",
              "date-year", "table-one-line")  # fmt: skip
    assert {right.pop(cluster) for cluster in copies} == {NUM_OF_EACH}
    assert sum(right.values()) < 0.02 * len(drawn())


def test_stories_and_sums_are_calculated_right() -> None:
    for words, gold in of("story-buys"):
        has, more = numbers(words)
        assert int(gold) == has + more
    for words, gold in of("story-saves"):
        each, weeks, spent = numbers(words)
        assert int(gold) == each * weeks - spent
    for words, gold in of("sum-two-operations"):
        one, two, three = numbers(words)
        assert int(gold) == one + (two * three)
    for words, gold in of("sum-percent"):
        percent, whole = numbers(words)
        assert int(gold) * 100 == percent * whole


def test_dates_and_the_clock_are_calculated_right() -> None:
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    for words, gold in of("date-weekday-in"):
        today = next(day for day in days if f"Today is {day}" in words)
        (ahead,) = numbers(words)
        assert days.index(gold) == (days.index(today) + ahead) % 7
    for words, gold in of("date-in"):
        ahead = numbers(words)[0]
        (start,) = re.findall(r"\d{4}-\d\d-\d\d", words)
        assert (date.fromisoformat(gold) - date.fromisoformat(start)).days == ahead
    for words, gold in of("date-clock"):
        hour, minute, lasts = numbers(words)
        end_hour, end_minute = numbers(gold)
        assert 60 * end_hour + end_minute == 60 * hour + minute + lasts


def test_tables_edits_orders_and_units_are_right() -> None:
    for words, gold in of("table-cheapest"):
        prices = {name: int(price) for name, price in re.findall(r"(\w+): (\d+)", words)}
        assert prices[gold] == min(prices.values())
    for words, gold in of("edit-reverse"):
        assert list(gold) == list(reversed(words.split(": ")[1]))
    for words, gold in of("order-descending"):
        assert numbers(gold) == sorted(numbers(words), reverse=True)
    for words, gold in of("unit-minutes-to-hours"):
        assert float(gold) * 60 == numbers(words)[0]


def test_what_is_wrong_has_a_class() -> None:
    one = next(one for one in drawn() if one.cluster == "sum-add")
    gold = int(asked(one).answer)
    assert one.mark(Answer(f"It is {gold + 1}.")).error == "wrong"
    assert one.mark(Answer("First we add the tens", is_cut=True)).error == "cut"
    assert one.mark(Answer(f"That makes {gold}", is_cut=True)).error == "cut"
    assert one.mark(Answer(f"That makes {gold}, because", is_cut=True)).error == ""
    assert one.mark(Answer(" \n.")).error == "empty"
    assert one.mark(Answer("")).is_degenerate
    assert one.mark(Answer("so so so so so so so so")).is_degenerate
    assert not one.mark(Answer(str(gold))).is_degenerate


def test_the_seed_decides_the_items() -> None:
    again = SUITE.items(Request(50, 3, WordTokenizer()))
    assert questions_sha256(again) == questions_sha256(drawn(50))
    assert questions_sha256(drawn(50, 4)) != questions_sha256(drawn(50))
    assert len(again) == 50
