import json
import random
from dataclasses import fields

import pytest

from evals.suites.instructions.instruction import NUM_PHRASINGS, Instruction, listed
from evals.suites.instructions.json_object import JsonKeys, JsonObject
from evals.suites.instructions.kinds import KINDS
from evals.suites.instructions.layout import Bullets, NumberedList, Sections
from evals.suites.instructions.marking import Highlights
from evals.suites.instructions.occasion import Occasion
from evals.suites.instructions.wording import ForbiddenWords, OneLabel
from tests.evals.suites.instructions.answers import EXAMPLES, Example

TASK = "Tell a story about a mill."
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.instruction.kind)
each_kind = pytest.mark.parametrize("kind", KINDS)


def parameters_of(instruction: Instruction) -> set[str]:
    return {one.name for one in fields(instruction)} - {"phrasing", "task"}


def drawn(kind: str, seed: int = 1) -> Instruction:
    return KINDS[kind](Occasion(TASK, random.Random(seed)))


@each_example
def test_answers_that_follow_and_answers_that_do_not(example: Example) -> None:
    followed = {answer: example.instruction.is_followed(answer) for answer in example.followed}
    missed = {answer: example.instruction.is_followed(answer) for answer in example.missed}
    assert followed == dict.fromkeys(example.followed, True)
    assert missed == dict.fromkeys(example.missed, False)


def test_every_kind_has_its_examples() -> None:
    assert len(KINDS) == 29
    assert [example.instruction.kind for example in EXAMPLES] == list(KINDS)
    assert all(len(example.followed) >= 2 and len(example.missed) >= 2 for example in EXAMPLES)


@each_example
def test_white_space_around_and_windows_line_ends_change_nothing(example: Example) -> None:
    for answer in example.followed + example.missed:
        elsewhere = f" \r\n{answer.replace(chr(13), '').replace(chr(10), chr(13) + chr(10))}\t\r\n"
        is_followed = example.instruction.is_followed(answer)
        assert example.instruction.is_followed(elsewhere) == is_followed, answer


@each_example
@pytest.mark.parametrize("answer", ["", " \r\n\t", "***", "...\n---", "{}", '""', "<<>>", "\u200b"])
def test_an_empty_answer_follows_nothing(example: Example, answer: str) -> None:
    assert not example.instruction.is_followed(answer)


@each_kind
def test_a_kind_is_listed_under_its_name_and_asked_in_several_ways(kind: str) -> None:
    instruction = drawn(kind)
    assert instruction.kind == kind
    assert len(set(instruction.phrasings)) == NUM_PHRASINGS
    assert all(len(phrasing.split()) >= 3 for phrasing in instruction.phrasings)


@each_kind
def test_every_phrasing_names_every_parameter(kind: str) -> None:
    names = parameters_of(drawn(kind))
    for phrasing in drawn(kind).phrasings:
        assert all(f"{{{name}}}" in phrasing for name in names)


def test_parameters_are_put_into_words() -> None:
    banned = ForbiddenWords(("very", "just"), phrasing=1)
    assert banned.words == 'None of these words may be used: "very" and "just".'
    assert (
        Bullets(4).words
        == 'Include exactly 4 bullet points, each on its own line after a mark such as "-".'
    )
    assert Sections(2, "Part").words == (
        'Divide the text into 2 sections headed "Part 1", "Part 2" and so on.'
    )


def test_words_are_listed_for_a_reader() -> None:
    assert listed(["a"]) == '"a"'
    assert listed(["a", "b"]) == '"a" and "b"'
    assert listed(["a", "b", "c"]) == '"a", "b" and "c"'


@each_kind
def test_parameters_depend_on_the_seed_only(kind: str) -> None:
    assert drawn(kind, seed=5) == drawn(kind, seed=5)
    is_free = bool(parameters_of(drawn(kind)))
    assert (len({drawn(kind, seed) for seed in range(20)}) > 1) == is_free


def test_json_of_any_depth_and_length_is_judged() -> None:
    deep = '{"a":' * 100_000
    long = f'{{"a": {"9" * 5000}}}'  # more digits than Python converts
    assert not JsonObject().is_followed(deep)
    assert JsonObject().is_followed(long)
    assert not JsonKeys(("a",)).is_followed('{"a": Infinity}')
    assert JsonKeys(("a",)).is_followed(json.dumps({"a": "x" * 100_000}))


def test_numbers_of_many_digits_are_no_list() -> None:
    assert not NumberedList(1).is_followed(f"{'1' * 5000}. a")
    assert not Sections(1, "Part").is_followed(f"Part {'1' * 5000}")


SLOW = ("*" * 20_000, "[" * 20_000, "<" * 20_000, "a*" * 20_000, "[" + "a" * 20_000,
        "-" + " " * 20_000 + "!", "\n" * 20_000, "*" + "a" * 20_000, "a-" * 20_000)  # fmt: skip


@pytest.mark.parametrize("place", range(len(SLOW)))
def test_long_answers_are_judged_at_once(place: int) -> None:
    for example in EXAMPLES:
        example.instruction.is_followed(f"a\n{SLOW[place]}!\nb")  # minutes if patterns backtrack


def test_bold_list_marks_are_left_to_the_loose_judgement() -> None:
    assert not NumberedList(1).is_followed("**1.** a")
    assert Highlights(1).is_followed("**1.** a")


def test_labels_do_not_hold_each_other() -> None:
    assert OneLabel(("Pace: slow", "Pace: brisk")).is_followed("Pace: slow")
