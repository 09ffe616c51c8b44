"""Items where no function fits: right is an answer in words, and no call.

The published rule counts whatever cannot be decoded as right (gorilla issue 443), so that a model
that writes noise, or half a call, is right every time. Here it has to speak: text that is empty,
repeats itself or is mostly punctuation is `empty` or `garbage`, and a call is a call even where it
breaks off. `[]` says in the form asked for that nothing fits, and is right.

Beside these items belong those that want a call: a model that never calls is right here.

Example: "None of these functions can do that." -> abstained; "area(base=10" -> called; "" -> empty;
"}}}} ))" and "no no no no no no" -> garbage.
"""

from collections.abc import Iterable
from typing import Literal

from evals.suites.calls.answer import Answer
from evals.suites.calls.marks import holds_call
from evals.suites.calls.parsing import parse_text
from evals.suites.language import is_degenerate

Outcome = Literal["abstained", "called", "empty", "garbage"]
LEAST_WRITTEN = 0.5  # letters and digits of what is no space; prose has .9, vowel signs aside


def judge_text(text: str, offered: Iterable[str]) -> Outcome:
    """Say what a text answer did; only "abstained" is right."""
    if not text.strip():
        return "empty"
    if holds_call(text, offered):
        return "called"
    if parse_text(text) == ():
        return "abstained"
    return "garbage" if is_garbage(text) else "abstained"


def judge_answer(answer: Answer, offered: Iterable[str]) -> Outcome:
    """Say what an API answer did; a tool call is a call whatever stands in it."""
    return "called" if answer.tool_calls else judge_text(answer.content, offered)


def is_garbage(text: str) -> bool:
    """Whether a text is mostly punctuation, or mostly repeats itself.

    Example: "a]}{]}" has 1 letter in 6 characters: share .17.
    """
    characters = "".join(text.split())
    if sum(map(str.isalnum, characters)) < LEAST_WRITTEN * len(characters):
        return True
    return is_degenerate(text)
