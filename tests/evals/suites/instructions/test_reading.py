import pytest

from evals.suites.instructions.reading import is_empty, num_of, num_sentences, tidy, words_of


def test_the_worked_example() -> None:
    text = "Dr. Ada isn't in. Call back at 9 a.m. or later!"
    assert len(words_of(text)) == 12
    assert num_sentences(text) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Rain** fell", ["Rain", "fell"]),
        ("it’s well-known", ["it’s", "well-known"]),
        ("cafe\u0301s", ["caf\u00e9s"]),
        ("- a\n- b_c", ["a", "b", "c"]),
        ("3.5 km – 10%", ["3", "5", "km", "10"]),
        ("...", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(tidy(text)) == words


@pytest.mark.parametrize(
    ("text", "num"),
    [
        ("", 0),
        ("No mark at the end", 1),
        ("One. two", 2),
        ("He said: “Go.” Then he left.", 2),
        ("**Bold ends here.** So does this.", 2),
        ("It costs 3.50 at shop.example.", 1),
        ("What?! Really ?! Yes", 3),
        ("A line\nbroken in two.", 1),
        ("A heading\n\nA text.\n\n- - -\n\n5.", 2),
        ("Ask (e.g. Mr. Lee) vs. them.", 1),
    ],
)
def test_sentences(text: str, num: int) -> None:
    assert num_sentences(text) == num


def test_line_ends_accents_and_white_space_are_made_alike() -> None:
    assert tidy(" e\u0301\r\nb\rc\n ") == "\u00e9\nb\nc"


def test_marks_alone_say_nothing() -> None:
    assert is_empty("*** -- “”")
    assert not is_empty("雨")
    assert not is_empty("5")


def test_a_whole_word_is_counted_in_any_case() -> None:
    assert num_of("bell", "Bell, bell's BELL-tower; bells doorbell _bell_") == 4
    assert num_of("a.b", "a.b axb") == 1
