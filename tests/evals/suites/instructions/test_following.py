import pytest

from evals.suites.instructions.counting import WordsAtMost
from evals.suites.instructions.following import Judgement, Shares, judge, shares_of, variants_of
from evals.suites.instructions.framing import BeginsWith, EndsWith
from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.json_object import JsonObject
from evals.suites.instructions.layout import NumberedList, Paragraphs
from evals.suites.instructions.letters import LowerCase, NoCommas
from evals.suites.instructions.marking import Highlights
from evals.suites.instructions.prompts import Prompt, draw_prompts
from evals.suites.instructions.wording import ForbiddenWords
from variants.errors import MeasurementError


def asked(*instructions: Instruction) -> Prompt:
    return Prompt("mill-1", "mill", "Tell a story.", instructions)


def test_the_eight_variants_of_an_answer() -> None:
    assert variants_of("Sure:\r\n*a*\n\n**b**\nBye.\n") == (
        "Sure:\n*a*\n\n**b**\nBye.",
        "*a*\n\n**b**\nBye.",
        "Sure:\n*a*\n\n**b**",
        "*a*\n\n**b**",
        "Sure:\na\n\nb\nBye.",
        "a\n\nb\nBye.",
        "Sure:\na\n\nb",
        "a\n\nb",
    )


def test_an_answer_of_one_line_has_nothing_left_without_it() -> None:
    assert variants_of("*a*") == ("*a*", "", "", "", "a", "", "", "")


@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        (BeginsWith("Picture this:"), "Sure!\nPicture this: rain."),
        (EndsWith("More will follow soon."), "Rain. More will follow soon.\n\nAnything else?"),
        (JsonObject(), '```json\n{"a": 1}\n```'),
        (NoCommas(), "Sure, here it is:\nRain fell."),
        (LowerCase(), "Here you are:\nrain fell.\nEnjoy!"),
        (NumberedList(2), "**1.** rain\n**2.** snow"),
        (WordsAtMost(2), "Here is a text:\nrain fell"),
    ],
)
def test_what_only_the_loose_judgement_lets_pass(instruction: Instruction, answer: str) -> None:
    assert judge(asked(instruction), answer) == Judgement(strict=(False,), loose=(True,))


@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        (Highlights(1), "Rain *fell*."),
        (Paragraphs(2, "***"), "Rain.\n***\nSnow."),
        (WordsAtMost(2), "rain fell"),
    ],
)
def test_what_the_strict_judgement_passes_the_loose_passes(
    instruction: Instruction, answer: str
) -> None:
    assert judge(asked(instruction), answer) == Judgement(strict=(True,), loose=(True,))


@pytest.mark.parametrize("answer", ["", " \n\r\n ", "\n\n***\n\n", "..."])
def test_an_empty_answer_follows_nothing(answer: str) -> None:
    for prompt in draw_prompts(2):
        judgement = judge(prompt, answer)
        assert not any(judgement.strict)
        assert not any(judgement.loose)


def test_a_variant_that_is_empty_follows_no_ban() -> None:
    banned = asked(NoCommas(), ForbiddenWords(("very",)))
    assert judge(banned, "Very cold, I say.") == Judgement((False, False), (False, False))


def test_instructions_may_pass_in_different_variants() -> None:
    prompt = asked(BeginsWith("Picture this:"), EndsWith("Have a pleasant day."))
    answer = "Sure!\nPicture this: rain.\nHave a pleasant day.\nBye."
    assert judge(prompt, answer) == Judgement((False, False), (True, True))


def test_the_worked_example() -> None:
    one = judge(asked(NoCommas()), "Rain fell.")
    other = judge(asked(NoCommas(), WordsAtMost(9)), "Well, yes:\nRain fell.")
    assert one == Judgement((True,), (True,))
    assert other == Judgement((False, True), (True, True))
    assert (one.is_strict, other.is_strict, other.is_loose) == (True, False, True)
    assert shares_of([one, other]) == Shares(
        num_prompts=2,
        num_instructions=3,
        prompt_strict=1 / 2,
        prompt_loose=1.0,
        instruction_strict=2 / 3,
        instruction_loose=1.0,
    )


def test_no_judgement_is_no_share() -> None:
    with pytest.raises(MeasurementError, match="no answer was judged"):
        shares_of([])
