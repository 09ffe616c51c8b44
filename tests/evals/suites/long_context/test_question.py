import random
from collections.abc import Callable

import pytest

from evals.suites.item import Request
from evals.suites.long_context.haystack import Haystack, haystack_of
from evals.suites.long_context.question import Question, fitted, is_right
from evals.suites.long_context.spots import draws
from evals.suites.long_context.values import alike, like, names, near_numbers, numbers
from tests.evals.suites.toy import CharacterTokenizer, WordTokenizer
from variants.errors import MeasurementError
from variants.prose import passages

CHARACTERS = CharacterTokenizer()
ABCD = Haystack(("A", "B", "C", "D"), (5, 3, 4, 2), frozenset("ABCD"))


@pytest.mark.parametrize(
    ("start", "budgets", "expected"),
    [
        (1, (4, 6), [["B"], ["C", "D"]]),  # 1 is left of 4, so 7 for C and D
        (2, (0, 9), [[], ["C", "D", "B"]]),  # A is too long for the 3 left, B is not
        (0, (4, 5), [["C"], ["A"]]),  # A is too long, C is the longest that fits; A is still next
        (0, (14,), [["A", "B", "C", "D"]]),
        (3, (100, 100), [["D", "A", "B", "C"], []]),  # none comes twice
        (0, (1,), [[]]),
        (0, (7, 0), [["A", "D"], []]),
        (0, (10, 0), [["A", "B", "D"], []]),
        (3, (6, 0), [["D", "C"], []]),
        (0, (4, 4), [["C"], ["B"]]),
    ],
)
def test_sentences_fill_budgets_in_running_order(
    start: int, budgets: tuple[int, ...], expected: list[list[str]]
) -> None:
    assert ABCD.fill(start, budgets) == expected


def test_filler_is_whole_sentences_of_the_evaluation_half_without_what_is_asked_for() -> None:
    haystack = haystack_of(WordTokenizer())
    text = "\n".join(passages("evaluation").values())
    assert len(haystack.sentences) > 1000
    for sentence, num_tokens in zip(haystack.sentences, haystack.num_tokens, strict=True):
        assert sentence in text
        assert sentence.endswith(".")
        assert not any(mark.isdigit() or mark == "=" for mark in sentence)
        assert num_tokens >= len(sentence.split())


def padded(budget: int) -> Question:
    return Question("q", "c", "x" * (10 + budget), " is", (" 1", " 2"))  # 13 without filler


def test_a_context_has_the_tokens_asked() -> None:
    assert len(fitted(100, CHARACTERS, padded).item(CHARACTERS).context) == 100
    assert fitted(13, CHARACTERS, padded).text == "x" * 10


def twice(budget: int) -> Question:
    return padded(2 * budget)


def half(budget: int) -> Question:
    return padded(budget // 2)


@pytest.mark.parametrize("build", [twice, half])
def test_filler_that_joins_to_another_length_is_counted_again(
    build: Callable[[int], Question],
) -> None:
    assert 95 <= len(fitted(100, CHARACTERS, build).item(CHARACTERS).context) <= 100


@pytest.mark.parametrize(
    ("length", "build", "said"),
    [
        (12, padded, "needs 13 tokens"),
        (100, lambda budget: padded(min(budget, 50)), "63 tokens and 100 were asked"),
        (100, lambda budget: Question("q", "c", "x" * budget, "", (" 1", " 22")), "options"),
        (100, lambda budget: Question("q", "c", "x" * budget, "", (" 1", " 1")), "options"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    length: int, build: Callable[[int], Question], said: str
) -> None:
    with pytest.raises(MeasurementError, match=said):
        fitted(length, CHARACTERS, build)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("It is 48213.", True),
        ("48213", True),
        ("48213 or 48713", False),
        ("It is 48713.", False),
        ("It is 482130.", False),
        ("", False),
    ],
)
def test_a_written_number_is_matched_whole(written: str, expected: bool) -> None:
    assert is_right(written, (" 48213", " 48713", " 58213")) is expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("BCD, FGH, JKL", True),
        ("They are JKL and FGH and BCD.", True),
        ("BCD, FGH", False),
        ("BCD, FGH, JKL, QRS", False),
    ],
)
def test_a_written_list_is_matched_in_any_order(written: str, expected: bool) -> None:
    assert is_right(written, (" BCD, FGH, JKL", " BCD, QRS, TVW")) is expected


def test_every_spot_has_its_turn() -> None:
    drawn = list(draws(Request(5, 1, CHARACTERS), (512, 1024), (0.0, 1.0)))
    assert [one.id for one in drawn] == ["512@0#0", "512@1#0", "1024@0#0", "1024@1#0", "512@0#1"]
    assert drawn[4].spot.name == "512@0"


@pytest.mark.parametrize(
    ("window", "lengths"),
    [
        (None, [512, 1024, 2048, 4096]),
        (8192, [512, 1024, 2048, 4096]),
        (2048, [512, 1024, 1984]),
        (1088, [512, 1024]),  # 1088 - 64 is 1024 itself
        (400, [336]),
    ],
)
def test_no_context_is_longer_than_the_server_takes(window: int | None, lengths: list[int]) -> None:
    asked = Request(20, 1, CHARACTERS, window=window)
    drawn = draws(asked, (512, 1024, 2048, 4096), (0.0,))
    assert list(dict.fromkeys(one.spot.length for one in drawn)) == lengths


@pytest.mark.parametrize("lengths", [(), (512, 512)])
def test_lengths_are_given_once_each(lengths: tuple[int, ...]) -> None:
    with pytest.raises(MeasurementError, match="give each one once"):
        list(draws(Request(5, 1, CHARACTERS), lengths, (0.0,)))


def test_near_numbers_differ_in_one_digit_and_the_first_at_different_places() -> None:
    found = list(near_numbers("48213", range(5), random.Random(1)))
    places = [[k for k in range(5) if one[k] != "48213"[k]] for one in found]
    assert all(len(place) == 1 for place in places)
    assert len(set(found)) == 44, "9 other digits at 5 places, but for a leading 0"
    assert len({place[0] for place in places[:4]}) == 4
    assert {one[:3] for one in near_numbers("48213", (3, 4), random.Random(1))} == {"482"}


def test_names_are_no_words_of_the_text_and_numbers_have_their_digits() -> None:
    names_drawn = names(frozenset({"BBB"}), random.Random(1))
    assert all(next(names_drawn) not in ("BBB", "THE") for _ in range(20_000))
    numbers_drawn = numbers(3, random.Random(1))
    assert {len(next(numbers_drawn)) for _ in range(2000)} == {3}


def test_values_have_one_token_length() -> None:
    assert alike(["a", "bb", "c", "a", "dd", "e"], 3, CHARACTERS) == ("a", "c", "e")
    assert like("aa", ["b", "cc", "ddd", "ee"], 2, CHARACTERS) == ("cc", "ee")
    with pytest.raises(MeasurementError, match="leave this suite out"):
        alike(["a", "bb", "ccc"], 2, CHARACTERS)
    with pytest.raises(MeasurementError, match="leave this suite out"):
        like("aa", ["b", "cc"], 2, CHARACTERS)
