from pathlib import Path

import pytest

from evals.suites.calls import Call, Calls, render
from evals.suites.calls.conversation import ASKED, read
from evals.suites.calls.scenes import Scene, Turn
from evals.suites.calls.stage import Stage
from evals.suites.calls.turns import CONTEXT, MAX_STEPS, MAX_TOKENS, Dialogue, right_texts
from evals.suites.written import Answer
from tests.evals.suites.calls.toy_api import FUNCTIONS, LOOK, add, scene, stage
from tests.evals.suites.toy import WordTokenizer

STORY = scene((add(2), LOOK), (add(1),))
RIGHT = ("[add(by=2), look()]", "Done.", "[add(by=1)]", "Done.")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return stage(tmp_path_factory.mktemp("toys"))


def dialogue(toys: Stage, story: Scene = STORY) -> Dialogue:
    return Dialogue(story, toys, WordTokenizer())


def answer(*texts: str) -> Answer:
    return Answer(texts[-1], earlier=texts[:-1])


def test_texts_are_read_into_turns_and_steps() -> None:
    said = read(("[look()]", "[add(by=1), look()]", "Done.", "", "[tell(", "[look()]"))
    assert [one.steps for one in said] == [((LOOK,), (add(1), LOOK)), (), (), ((LOOK,),)]
    assert [one.texts for one in said] == [
        ("[look()]", "[add(by=1), look()]", "Done."), ("",), ("[tell(",), ("[look()]",),
    ]  # fmt: skip
    assert [one.is_open for one in said] == [False, False, False, True]
    assert [one.ending is None for one in said] == [False, False, False, True]
    assert read(("[]",))[0].ending is None
    assert read(()) == []


def test_the_conversation_goes_on_with_results_and_then_with_the_next_turn(toys: Stage) -> None:
    one = dialogue(toys)
    begun = one.follow(answer(RIGHT[0]))
    assert begun is not None
    first, *others = begun
    assert first["content"].startswith(
        "These functions can be called:\n"
        "add(by: integer, note: string = None) - It is add.\nlook() - It is look.\n"
    )
    assert first["content"].endswith(f"\n\n{ASKED}\n\nTurn 0.")
    assert others == [
        {"role": "assistant", "content": RIGHT[0]},
        {"role": "user", "content": 'add gave: {"count": 7}\nlook gave: 7'},
    ]
    next_turn = one.follow(answer(*RIGHT[:2]))
    assert next_turn == [
        *begun,
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Turn 1."},
    ]
    assert one.follow(answer(*RIGHT)) is None
    assert one.mark(answer(*RIGHT)).is_correct


def test_functions_that_come_later_are_told_then(toys: Stage) -> None:
    early, late = FUNCTIONS[:1], FUNCTIONS[1:2]
    turns = (Turn("Add 1.", early, (add(1),)), Turn("", late, (LOOK,)))
    story = Scene("toy_1", {"Counter": "counter"}, {}, False, turns)
    found = dialogue(toys, story).follow(answer("[add(by=1)]", "Done."))
    assert found is not None
    assert "look" not in found[0]["content"]
    assert found[-1]["content"] == (
        "These functions can be called as well from now on:\nlook() - It is look.\n\n"
        "Can you do it now?"
    )


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ("", "dropped"),
        ("Nothing to do here.", "dropped"),
        ("[]", "dropped"),
        ("[add(2), look()]", "parse_error"),
        ("[add(by=2), look(", "parse_error"),
        ("[add(by=2)]", "dropped"),
        ("[add(by=3), look()]", "wrong_value"),
        ("[add(by='2'), look()]", "wrong_type"),
        ("[add(note='x'), look()]", "missing_argument"),
        ("[add(by=2, to=1), look()]", "unexpected_argument"),
        ("[add(by=2), see()]", "hallucinated_call"),
        ("[add(by=2), hog()]", "hallucinated_call"),  # it is there, and was never offered
        ("[add(by=2), fail()]", "wrong_function"),
        ("[look(), fail(), add(by=2)]", "execution_error"),
        ("[add(by=2), tell(text='7 ')]", "wrong_function"),
        ("[look(), add(by=2)]", "wrong_state"),
        ("[add(by=2), look(), add(by=1)]", "wrong_state"),
        ("[spin()]", "execution_error"),
    ],
)
def test_a_turn_that_fails_ends_the_conversation_and_names_the_fault(
    toys: Stage, calls: str, kind: str
) -> None:
    texts = answer(calls) if calls in ("", "[]", "[spin()]") else answer(calls, "Done.")
    one = dialogue(toys)
    assert one.follow(texts) is None
    mark = one.mark(texts)
    assert (mark.is_correct, mark.error) == (False, kind)


def test_a_fault_may_be_mended_within_the_turn(toys: Stage) -> None:
    texts = ("[add(by=3)]", "[add(by='x')]", "[add(by=-1)]", "[fail()]", "[add(by=0)]", "[look()]")
    one = dialogue(toys)
    assert one.follow(answer(*texts)) is not None
    assert one.follow(answer(*texts, "Done.")) is not None
    assert one.mark(answer(*texts, "Done.", *RIGHT[2:])).is_correct


def test_what_cannot_be_read_ends_a_turn_and_is_no_fault_where_all_is_done(toys: Stage) -> None:
    texts = (RIGHT[0], "[look(", RIGHT[2], "I am done (at last).")
    assert dialogue(toys).mark(answer(*texts)).is_correct


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_conversation_that_stops_early_is_wrong(toys: Stage, missing: int) -> None:
    mark = dialogue(toys).mark(answer(*RIGHT[:-missing]))
    assert (mark.is_correct, mark.error) == (False, "too_many_steps")


def test_steps_without_end_are_too_many(toys: Stage) -> None:
    one = dialogue(toys)
    texts = ("[look()]",) * MAX_STEPS
    assert one.follow(answer(*texts)) is not None
    assert one.follow(answer(*texts, "[look()]")) is None
    assert one.mark(answer(*texts, "[look()]")).error == "too_many_steps"


def test_a_conversation_without_room_for_an_answer_is_over(toys: Stage) -> None:
    one = dialogue(toys)
    begun = one.follow(answer("[look()]"))
    assert begun is not None
    tokens = WordTokenizer()
    room = CONTEXT - MAX_TOKENS - len(tokens.encode(tokens.render_chat(begun)))

    def telling(num_words: int) -> Answer:  # a step that takes two words beside those it tells
        text = "a" + " a" * (num_words - 1)
        return answer("[look()]", render((Call("tell", {"text": text}),)))

    half = room // 2
    assert one.follow(telling(half - 20)) is not None
    assert one.follow(telling(half + 1)) is None
    assert one.mark(telling(half + 1)).error == "too_many_steps"


def test_noise_is_no_language_and_a_wrong_call_is_not_noise(toys: Stage) -> None:
    one = dialogue(toys)
    assert one.mark(answer("")).is_degenerate
    assert one.mark(answer("the the the the the the")).is_degenerate
    assert not one.mark(answer("[add(by=3), look()]", "")).is_degenerate
    assert not one.mark(answer("I cannot add.")).is_degenerate


def test_right_texts_are_right_and_only_what_fits_is_asked(toys: Stage, tmp_path: Path) -> None:
    assert right_texts(STORY) == RIGHT
    assert right_texts(scene((), (LOOK,))) == ("Done.", "[look()]", "Done.")
    assert dialogue(toys).fits()
    long: Calls = (Call("tell", {"text": " a" * CONTEXT}),)
    assert not dialogue(toys, scene((LOOK,), long)).fits()
