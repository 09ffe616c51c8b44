"""The same items at every level, and nothing but the axis changes."""

import random
from collections import defaultdict
from itertools import pairwise

import pytest

from evals.suites.bfcl import rows
from evals.suites.cliffs import base_of, choosing, item_id, writing
from evals.suites.cliffs.axes import BY_TOKENS, BY_TOOLS, BY_TURNS, TOKENS, TOOLS, TURNS
from evals.suites.cliffs.axis import Axis, Backdrop, Setting, num_bases
from evals.suites.cliffs.offered import is_short, others, pool_of, words_of
from evals.suites.item import Item, Request, Suite
from evals.suites.long_context.haystack import haystack_of
from evals.suites.overlap import overlap_check
from evals.suites.written import Answer, Question, WrittenSuite
from tests.evals.suites.cliffs.toy import write_rows
from tests.evals.suites.toy import AREA, INTEGER, WordTokenizer, function
from variants.errors import MeasurementError
from variants.prose import passages

WORDS = WordTokenizer()
CHOSEN = (choosing.TOOLS, choosing.TURNS, choosing.CONTEXT)
WRITTEN = (writing.TOOLS, writing.TURNS, writing.CONTEXT)
LEVELS = {"tools": TOOLS, "turns": TURNS, "context": TOKENS}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return write_rows(tmp_path_factory.mktemp("leaderboard"))


@pytest.fixture(scope="module")
def backdrop(files: dict[str, str]) -> Backdrop:
    return Backdrop(pool_of(rows(files)), haystack_of(WORDS))


def settings(axis: Axis, backdrop: Backdrop) -> dict[int, Setting]:
    return axis.settings(AREA, backdrop, random.Random(3))


def levels_of(suite: Suite | WrittenSuite) -> tuple[int, ...]:
    return LEVELS[suite.id.split("-")[1]]


def drawn(
    suite: Suite | WrittenSuite, files: dict[str, str], seed: int = 1
) -> list[Item | Question]:
    return list(suite.items(Request(4 * len(levels_of(suite)), seed, WORDS, files)))


def test_more_tools_hold_the_fewer_in_the_same_order(backdrop: Backdrop) -> None:
    found = settings(BY_TOOLS, backdrop)
    names = {level: [tool["name"] for tool in one.tools] for level, one in found.items()}
    assert {level: len(set(one)) for level, one in names.items()} == {n: n for n in TOOLS}
    assert names[1] == ["area"]
    for fewer, more in pairwise(TOOLS):
        assert names[fewer] == [name for name in names[more] if name in names[fewer]]
    assert {(one.turns, one.filler) for one in found.values()} == {((), "")}


def test_more_turns_end_as_the_fewer(backdrop: Backdrop) -> None:
    found = settings(BY_TURNS, backdrop)
    assert {level: len(one.turns) for level, one in found.items()} == {n: n for n in TURNS}
    for fewer, more in pairwise(TURNS):
        assert found[fewer].turns == found[more].turns[-fewer:]
    assert len({one.tools for one in map(_named, found.values())}) == 1
    told = found[2].messages("Call.", "The area?")
    assert [one["role"] for one in told] == ["system", *(["user", "assistant"] * 2), "user"]


def _named(setting: Setting) -> Setting:
    return Setting(tuple(str(tool["name"]) for tool in setting.tools))  # type: ignore[arg-type]


def test_the_filler_has_the_tokens_asked(backdrop: Backdrop) -> None:
    for level, one in settings(BY_TOKENS, backdrop).items():
        num_tokens = len(WORDS.encode(" " + one.filler))
        assert 0.95 * level <= num_tokens <= level


def test_what_may_answer_as_well_is_not_offered() -> None:
    assert words_of("math.circleArea_of") == {"math", "circle", "area", "of"}
    near, far = function("circle_area", [], radius=INTEGER), function("weather", [], city=INTEGER)
    assert others(AREA, [near, far], 1, random.Random(1)) == [far]
    with pytest.raises(MeasurementError, match="1 functions can stand beside area, 2 are needed"):
        others(AREA, [near, far], 2, random.Random(1))
    assert is_short(far)
    assert not is_short(function("weather", [], **{f"city{n}": INTEGER for n in range(20)}))
    assert not is_short({**far, "description": "Wetter für heute."})


@pytest.mark.parametrize("suite", (*CHOSEN, *WRITTEN), ids=lambda one: one.id)
def test_every_base_item_is_asked_at_every_level(
    suite: Suite | WrittenSuite, files: dict[str, str]
) -> None:
    found = drawn(suite, files)
    assert suite.axis
    assert all(one.id == item_id(base_of(one.id), one.level or 0) for one in found)
    bases: defaultdict[str, list[float]] = defaultdict(list)
    for one in found:
        bases[base_of(one.id)].append(one.level or 0)
    assert len(bases) == 4
    assert set(map(tuple, bases.values())) == {levels_of(suite)}
    assert len({(base_of(one.id), one.cluster) for one in found}) == 4
    again, other = drawn(suite, files), drawn(suite, files, 2)
    assert [one.id for one in again] == [one.id for one in found] != [one.id for one in other]
    assert overlap_check(found, passages("calibration").values()).passed


@pytest.mark.parametrize("suite", CHOSEN, ids=lambda one: one.id)
def test_the_six_calls_are_the_same_at_every_level(suite: Suite, files: dict[str, str]) -> None:
    options: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for item in suite.items(Request(24, 1, WORDS, files)):
        options[base_of(item.id)].add(item.options)
        assert len({len(WORDS.encode(one)) for one in item.options}) == 1
        assert len(set(item.options)) == 6
        assert item.options[0].split("(")[0] in item.context
    assert {len(one) for one in options.values()} == {1}


def test_with_four_tools_every_function_among_the_options_is_offered(
    files: dict[str, str],
) -> None:
    items = choosing.TOOLS.items(Request(60, 1, WORDS, files))
    called = [
        (item.level, option.split("(")[0] in item.context)
        for item in items
        for option in item.options
    ]
    assert all(is_offered for level, is_offered in called if (level or 0) >= 4)
    assert len({option.split("(")[0] for item in items for option in item.options}) > 10


@pytest.mark.parametrize("suite", WRITTEN, ids=lambda one: one.id)
def test_the_written_call_is_marked_by_the_strict_checker(
    suite: WrittenSuite, files: dict[str, str]
) -> None:
    for question in suite.items(Request(60, 1, WORDS, files)):
        kind, _, number = base_of(question.id).partition("_")
        if kind != "row":
            continue
        right = f"[area(base={number}, height=5)]"
        assert question.mark(Answer(right)).is_correct
        assert question.mark(Answer("[area(base=1, height=5)]")).error == "wrong_value"
        assert question.mark(Answer("[never(base=1)]")).error == "hallucinated_call"
        assert question.mark(Answer("")).is_degenerate
        assert "area(base: integer" in question.messages[0]["content"]
        assert question.messages[0]["role"] == "system"
        assert question.words.endswith(f"The area of base {number} and height 5?")


def test_a_tool_beside_it_is_a_wrong_function(files: dict[str, str]) -> None:
    last = next(
        question
        for question in writing.TOOLS.items(Request(240, 1, WORDS, files))
        if question.level == 32 and question.id.startswith("row")
    )
    beside = last.messages[0]["content"].split("\n")[1].split("(")[0]
    name = beside if beside != "area" else last.messages[0]["content"].split("\n")[2].split("(")[0]
    assert last.mark(Answer(f"[{name}(size=1)]")).error == "wrong_function"


def test_items_are_shared_out_evenly() -> None:
    assert num_bases(150, TOOLS) == 25
    assert num_bases(155, TOOLS) == 25
    with pytest.raises(MeasurementError, match="at least 6"):
        num_bases(5, TOOLS)
