import json
import re
from itertools import pairwise
from types import ModuleType

import pytest

from evals.suites.item import Request, Tokenizer, items_sha256
from evals.suites.long_context import (
    LENGTHS,
    Question,
    is_right,
    key_value,
    needle,
    variable_tracking,
)
from evals.suites.overlap import overlap_check
from tests.evals.suites.toy import CharacterTokenizer, WordTokenizer
from variants.errors import MeasurementError
from variants.prose import passages

WORDS, CHARACTERS = WordTokenizer(), CharacterTokenizer()
SUITES = (needle, variable_tracking, key_value)
NUM_SPOTS = {needle: 20, variable_tracking: 12, key_value: 20}
every_suite = pytest.mark.parametrize("suite", SUITES, ids=lambda one: one.__name__.split(".")[-1])


def asked(suite: ModuleType, tokenizer: Tokenizer = CHARACTERS) -> tuple[Question, ...]:
    """Two turns of every spot."""
    made: tuple[Question, ...] = suite.questions(Request(2 * NUM_SPOTS[suite], 7, tokenizer))
    return made


def length_of(question: Question) -> int:
    return int(question.cluster.split("@")[0])


def depth_of(question: Question) -> float:
    return float(question.cluster.split("@")[1])


def body_of(question: Question) -> str:
    """Return what stands between the introduction and the question."""
    return question.text.split("\n\n")[1]


@pytest.mark.parametrize("tokenizer", [CHARACTERS, WORDS], ids=["characters", "words"])
@every_suite
def test_the_whole_prompt_has_95_to_100_percent_of_the_tokens_asked(
    suite: ModuleType, tokenizer: Tokenizer
) -> None:
    questions = asked(suite, tokenizer)
    assert {length_of(question) for question in questions} == set(LENGTHS)
    for question in questions:
        num_tokens = len(tokenizer.encode(question.item(tokenizer).context))
        assert 0.95 * length_of(question) <= num_tokens <= length_of(question), question.id


@every_suite
def test_four_options_of_one_length_follow_the_start_of_an_answer(suite: ModuleType) -> None:
    questions = asked(suite, WORDS)
    for question in questions:
        item = question.item(WORDS)
        assert len({len(WORDS.encode(option)) for option in item.options}) == 1
        assert len(set(item.options)) == 4
        assert all(option.startswith(" ") for option in item.options)
        assert item.context.endswith("<assistant>" + question.stem)
        assert is_right(f"{question.stem} {question.answer}.", question.options)
        assert not any(
            is_right(question.stem + wrong, question.options) for wrong in item.options[1:]
        )
    assert len({question.id for question in questions}) == len(questions)


@every_suite
def test_the_seed_decides_the_items_and_a_longer_draw_begins_with_the_shorter(
    suite: ModuleType,
) -> None:
    def drawn(num_items: int, seed: int) -> str:
        return items_sha256(suite.items(Request(num_items, seed, CHARACTERS), (512, 1024)))

    assert drawn(8, 3) == drawn(8, 3)
    assert drawn(8, 3) != drawn(8, 4)
    long = suite.items(Request(12, 3, CHARACTERS), (512, 1024))
    assert items_sha256(long[:8]) == drawn(8, 3)


@every_suite
def test_a_length_without_room_is_refused(suite: ModuleType) -> None:
    with pytest.raises(MeasurementError, match="ask for longer contexts"):
        suite.questions(Request(1, 3, CHARACTERS), (64,))


@every_suite
def test_no_item_holds_calibration_text(suite: ModuleType) -> None:
    items = suite.items(Request(NUM_SPOTS[suite], 5, WORDS))
    check = overlap_check(items, passages("calibration").values())
    assert check.passed, check.reason


@every_suite
def test_the_suite_tells_its_chance(suite: ModuleType) -> None:
    assert suite.SUITE.chance == 0.25
    assert suite.SUITE.items(Request(2, 3, WORDS)) == suite.items(Request(2, 3, WORDS))


def test_the_needle_stands_at_its_depth_once() -> None:
    for question in asked(needle):
        statement = f"{question.stem} {question.answer}."
        before, after = body_of(question).split(statement)
        filler = len(before) + len(after)
        assert abs(len(before) - depth_of(question) * filler) <= 0.05 * length_of(question)
        if depth_of(question) in (0, 1):
            assert (before, after)[int(depth_of(question))] == ""


def test_the_needles_wrong_numbers_differ_in_one_digit_and_stand_nowhere() -> None:
    for question in asked(needle):
        assert question.text.count(question.answer) == 1
        for wrong in question.options[1:]:
            assert wrong.strip() not in question.text
            pairs = zip(question.answer, wrong.strip(), strict=True)
            assert sum(one != other for one, other in pairs) == 1


def assigned(question: Question) -> dict[str, tuple[str, int]]:
    """Run the assignments from top to bottom: name -> value and number of links."""
    known: dict[str, tuple[str, int]] = {}
    for name, source in re.findall(r"([A-Z]{3}) = (\w+)\.", body_of(question)):
        assert name not in known
        known[name] = (source, 0) if source.isdigit() else (known[source][0], known[source][1] + 1)
    return known


def test_running_the_assignments_gives_the_answer() -> None:
    kinds = set()
    for question in asked(variable_tracking):
        known = assigned(question)
        if found := re.search(r"What is the value of (\w+)\?$", question.text):
            assert known[found[1]] == (question.answer, depth_of(question))
            kinds.add("value")
        elif found := re.search(r"Which variables have the value (\d+)\?$", question.text):
            holders = [name for name, (value, _) in known.items() if value == found[1]]
            assert ", ".join(holders) == question.answer
            kinds.add("variables")
    assert kinds == {"value", "variables"}


def test_four_chains_of_one_length_stand_in_the_text() -> None:
    for question in asked(variable_tracking):
        known = assigned(question)
        values = [value for value, _ in known.values()]
        assert len(set(values)) == 4
        assert {values.count(value) for value in values} == {depth_of(question) + 1}
        assert all(body_of(question).count(value) == 1 for value in set(values))


def test_every_option_about_variables_stands_in_the_text() -> None:
    for question in asked(variable_tracking):
        known = assigned(question)
        if question.answer.isdigit():
            assert {one.strip() for one in question.options} == {v for v, _ in known.values()}
            continue
        lists = [option.strip().split(", ") for option in question.options]
        assert len({one[0] for one in lists}) == 1, "the first name tells nothing"
        for one in lists:
            assert len({known[name][0] for name in one[1:]}) == 1
            assert [known[name][1] for name in one] == list(range(len(one)))
        assert len({known[one[1]][0] for one in lists}) == 4


def test_assignments_are_spread_over_a_long_text() -> None:
    for question in asked(variable_tracking):
        places = [found.start() for found in re.finditer(r"[A-Z]{3} = ", body_of(question))]
        if length_of(question) == 4096 and depth_of(question) == 4:
            gaps = [later - earlier for earlier, later in pairwise(places)]
            assert max(places) - min(places) > 0.5 * len(body_of(question))
            assert max(gaps) < 0.5 * len(body_of(question))


def test_the_asked_key_stands_at_its_depth_and_the_wrong_values_one_digit_away() -> None:
    for question in asked(key_value):
        pairs = {key: f" {value}" for key, value in json.loads(body_of(question)).items()}
        (key,) = re.findall(r'"(\d+)"', question.stem)
        assert pairs[key] == question.options[0]
        assert abs(list(pairs).index(key) - depth_of(question) * (len(pairs) - 1)) <= 0.5
        for wrong in question.options[1:]:
            (near,) = (name for name, value in pairs.items() if value == wrong)
            assert sum(one != other for one, other in zip(key, near, strict=True)) == 1


def test_keys_and_values_are_all_different() -> None:
    for question in asked(key_value):
        written = re.findall(r'"(\d{6})": (\d{5})', body_of(question))
        pairs = json.loads(body_of(question))
        assert len(written) == len(pairs) == len(set(pairs.values()))
        assert len({key[:3] for key in pairs}) == 1
