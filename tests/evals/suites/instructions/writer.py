"""Writes an answer that follows all of a prompt's instructions, to show that there is one.

It knows nothing of the checkers: it puts together what is asked for and tries lengths until all are
satisfied.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from evals.suites.instructions.framing import BeginsWith, EndsWith, Postscript, RepeatsTask
from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.json_object import JsonKeys, JsonObject
from evals.suites.instructions.layout import (
    Bullets,
    NumberedList,
    Paragraphs,
    Sections,
    TwoVersions,
)
from evals.suites.instructions.letters import Capitals, CapitalWords, LetterTimes
from evals.suites.instructions.marking import Highlights, Placeholders, Quoted, Title
from evals.suites.instructions.wording import Keywords, KeywordTimes, OneLabel

FILLER = ("calm", "days", "bring", "fresh", "air")


def write(instructions: Sequence[Instruction]) -> str | None:
    """Return the first text tried that follows all instructions; None if none does."""
    sizes = product(range(0, 130, 10), range(1, 8))
    texts = (_text(instructions, *size) for size in sizes)
    return next(
        (text for text in texts if all(one.is_followed(text) for one in instructions)), None
    )


def _text(instructions: Sequence[Instruction], length: int, num_sentences: int) -> str:
    tokens = [token for one in instructions for token in _tokens(one)]
    tokens += [FILLER[place % len(FILLER)] for place in range(length)]
    text = _sentences(tokens or ["calm"], num_sentences)
    asked = {type(one): one for one in instructions}
    for kind in filter(asked.get, SHAPES):
        text = SHAPES[kind](text, asked[kind])
    return text


def _tokens(instruction: Instruction) -> Iterator[str]:
    """Yield what can stand anywhere in the text."""
    match instruction:
        case Keywords(keywords):
            yield from keywords
        case KeywordTimes(keyword, num):
            yield from [keyword] * num
        case LetterTimes(letter, num):
            yield letter * num
        case CapitalWords(num):
            yield from ["CALM"] * num
        case OneLabel(labels):
            yield labels[-1]
        case Highlights(num):
            yield from ["*calm*"] * num
        case Placeholders(num):
            yield from ["[name]"] * num


def _sentences(tokens: list[str], num: int) -> str:
    size = -(-len(tokens) // num)
    starts = range(0, len(tokens), size)
    return " ".join(" ".join(tokens[start : start + size]) + "." for start in starts)


# In this order: what divides the text, then what stands around it, then what changes all of it.
SHAPES: dict[type[Instruction], Callable[[str, Any], str]] = {
    Paragraphs: lambda text, one: f"\n{one.mark}\n".join([text, *["calm"] * (one.num - 1)]),
    Sections: lambda text, one: _lines(text, one.num, lambda n: f"{one.mark} {n}\ncalm"),
    Bullets: lambda text, one: _lines(text, one.num, lambda _: "- calm"),
    NumberedList: lambda text, one: _lines(text, one.num, lambda n: f"{n}. calm"),
    Title: lambda text, _: f"<<calm>>\n{text}",
    BeginsWith: lambda text, one: f"{one.phrase} {text}",
    RepeatsTask: lambda text, one: f"{one.task}\n{text}",
    EndsWith: lambda text, one: f"{text} {one.phrase}",
    Postscript: lambda text, one: f"{text}\n{one.mark} calm",
    Quoted: lambda text, _: f'"{text}"',
    JsonObject: lambda text, _: json.dumps({"text": text}),
    JsonKeys: lambda text, one: json.dumps(dict.fromkeys(one.keys, "calm") | {one.keys[0]: text}),
    TwoVersions: lambda text, _: f"{text}\n******\n{text} calm",
    Capitals: lambda text, _: text.upper(),
}


def _lines(text: str, num: int, line: Callable[[int], str]) -> str:
    return "\n".join([text, *(line(n) for n in range(1, num + 1)), ""])
