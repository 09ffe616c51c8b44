"""Short conversations, for what a change of weights can hurt apart: answers, JSON, calls, refusals.

Own texts (`chats.yaml`), filled with words by a seed; the wishes that are refused are those of
`evals.suites.safety.pairs`. Nothing here is scored as right or wrong: both arms are given the same
text, and only their distance counts.

Example: asked for the weather in Lima on Monday, the assistant's turn is one piece, labelled
`tool-call`: `get_forecast(city="Lima", day="Monday")`, or the same call as a JSON object.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from evals.suites.safety.pairs import read_pairs
from evals.yaml_file import read_mapping

FILE = Path(__file__).with_name("chats.yaml")
CHATS = 12  # of each kind: with fewer passages an error by passage says little
SEED = 7
SYSTEM = "You can call these functions. Answer with one call.\n"
Words = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the assistant's turn; tokens of JSON's punctuation get a label of their own."""

    text: str
    label: str
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """What was said before, and the assistant's turn."""

    id: str
    messages: tuple[tuple[str, str], ...]  # role, content
    pieces: tuple[Piece, ...]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Answer(_Model):
    ask: str
    answer: str


class _Object(_Model):
    ask: str
    object: dict[str, JsonValue]


class _Call(_Model):
    function: str
    told: str
    ask: str
    arguments: dict[str, JsonValue]

    def signature(self) -> str:
        """Name the function, its parameters, and what it is for."""
        return f"{self.function}({', '.join(self.arguments)}) - {self.told}"


class _Frames(_Model):
    """The file."""

    slots: dict[str, tuple[str | int, ...]]
    answers: tuple[_Answer, ...] = Field(min_length=CHATS)
    objects: tuple[_Object, ...]
    calls: tuple[_Call, ...] = Field(min_length=2)
    refusals: tuple[str, ...]
    afterwards: tuple[str, ...]

    def words(self, rng: random.Random) -> Words:
        """Draw a word for every slot."""
        return {slot: rng.choice(words) for slot, words in self.slots.items()}


def chats(seed: int = SEED) -> tuple[Chat, ...]:
    """Write the conversations, `CHATS` of each kind, in a fixed order."""
    frames = _Frames.model_validate(read_mapping(FILE, "frames of conversations"))
    rng = random.Random(seed)
    kinds = (_answers, _objects, _calls, _refusals)
    return tuple(chat for kind in kinds for chat in kind(frames, rng))


def _answers(frames: _Frames, rng: random.Random) -> Iterator[Chat]:
    for number, frame in enumerate(rng.sample(frames.answers, CHATS)):
        words = frames.words(rng)
        pieces = (Piece(_filled(frame.answer, words), "answer"),)
        yield Chat(f"answer-{number}", _asked(_filled(frame.ask, words)), pieces)


def _objects(frames: _Frames, rng: random.Random) -> Iterator[Chat]:
    for number in range(CHATS):
        frame, words = frames.objects[number % len(frames.objects)], frames.words(rng)
        text = json.dumps(_value(frame.object, words), indent=(None, 2)[_round(number, frames)])
        pieces = (Piece(text, "answer", is_json=True),)
        yield Chat(f"object-{number}", _asked(_filled(frame.ask, words)), pieces)


def _round(number: int, frames: _Frames) -> int:
    """Tell every other time round the frames, so that each is written both ways."""
    return number // len(frames.objects) % 2


def _calls(frames: _Frames, rng: random.Random) -> Iterator[Chat]:
    for number in range(CHATS):
        at = number % len(frames.calls)
        frame, other, words = frames.calls[at], frames.calls[at - 1], frames.words(rng)
        system = SYSTEM + "\n".join(sorted(one.signature() for one in (frame, other)))
        arguments = {name: _value(value, words) for name, value in frame.arguments.items()}
        is_json = number // len(frames.calls) % 2 == 1
        text = _as_json(frame, arguments) if is_json else _as_written(frame, arguments)
        messages = (("system", system), *_asked(_filled(frame.ask, words)))
        yield Chat(f"call-{number}", messages, (Piece(text, "tool-call"),))


def _as_json(frame: _Call, arguments: dict[str, JsonValue]) -> str:
    return json.dumps({"name": frame.function, "arguments": arguments})


def _as_written(frame: _Call, arguments: dict[str, JsonValue]) -> str:
    given = ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items())
    return f"{frame.function}({given})"


def _literal(value: JsonValue) -> str:
    """Write a value as Python does, text in double quotes."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _refusals(frames: _Frames, rng: random.Random) -> Iterator[Chat]:
    wishes = {pair.family: pair.unsafe for pair in read_pairs()}  # one of each family
    for number, family in enumerate(rng.sample(sorted(wishes), CHATS)):
        prefix = frames.refusals[number % len(frames.refusals)]
        pieces = (
            Piece(prefix, "refusal-prefix"),
            Piece(" " + rng.choice(frames.afterwards), "answer"),
        )
        yield Chat(f"refusal-{number}", _asked(wishes[family]), pieces)


def _asked(text: str) -> tuple[tuple[str, str], ...]:
    return (("user", text),)


def _filled(text: str, words: Words) -> str:
    return text.format_map(words)


def _value(frame: JsonValue, words: Words) -> JsonValue:
    """Fill a value; a slot that stands alone keeps its type, so that a number stays a number."""
    if isinstance(frame, dict):
        return {key: _value(value, words) for key, value in frame.items()}
    if isinstance(frame, list):
        return [_value(value, words) for value in frame]
    if not isinstance(frame, str):
        return frame
    return words.get(frame[1:-1], frame) if _is_slot(frame) else _filled(frame, words)


def _is_slot(text: str) -> bool:
    return text.startswith("{") and text.endswith("}") and text.count("{") == 1
