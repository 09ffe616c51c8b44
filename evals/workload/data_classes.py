"""Real text of five kinds, for what depends on the kind: how much of a draft is accepted.

Code repeats itself and prose does not, and JSON is half punctuation, so one mean over all would
hide both the gain and the loss. Sources: functions of the standard library, its prose
(`variants.prose`), and everyday questions.

Example: `requests("code", 2)` asks to go on with the first lines of two functions of `calendar`.
"""

import importlib
import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from types import FunctionType
from typing import Literal

from variants.prose import passages

DataClass = Literal["code", "prose", "json", "calls", "chat"]
MAX_WORDS = 120  # of a passage
MAX_LINES = 24  # of a function shown
MODULES = ("calendar", "difflib", "fnmatch", "shutil", "statistics", "textwrap")
QUESTIONS = (
    "How do I keep tomatoes fresh for longer?",
    "What should I look at before I buy a used bicycle?",
    "Explain to a child why the moon changes its shape.",
    "I have two days in a city by the sea. What would you do there?",
    "My neighbour's dog barks at night. How do I bring it up politely?",
    "What is the difference between a loan and a mortgage?",
    "Give me a plan to learn the guitar in three months.",
    "Which exercises help against a stiff neck after a day at a desk?",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of text: what is asked of the model."""

    name: DataClass
    asks: Callable[[], Iterator[str]]


def requests(kind: DataClass, num: int) -> tuple[str, ...]:
    """Return the first `num` requests of a kind; they come round where there are fewer."""
    return tuple(islice(cycle(_all(kind)), num))


@cache
def _all(kind: DataClass) -> Sequence[str]:
    return tuple(KINDS[kind].asks())


def _functions() -> Iterator[tuple[FunctionType, str]]:
    """Yield the public functions of some modules, each with its first lines."""
    for name in MODULES:
        for _, function in inspect.getmembers(importlib.import_module(name), inspect.isfunction):
            if function.__module__ == name and not function.__name__.startswith("_"):
                lines = inspect.getsource(function).splitlines()
                yield function, "\n".join(lines[:MAX_LINES])


def _code() -> Iterator[str]:
    for _, source in _functions():
        yield f"Go on with this Python code:\n\n{source}"


def _prose() -> Iterator[str]:
    for text in passages("evaluation").values():
        yield "Summarize this text:\n\n" + " ".join(text.split()[:MAX_WORDS])


def _json() -> Iterator[str]:
    for function, source in _functions():
        yield (
            f"Describe the function {function.__name__} as a JSON object with the keys name, "
            "parameters (a list of objects with name and purpose), returns and raises:\n\n"
            f"{source}"
        )


def _calls() -> Iterator[str]:
    for function, _ in _functions():
        parameters = list(inspect.signature(function).parameters)
        tool = json.dumps({"name": function.__name__, "parameters": parameters})
        yield (
            f"You may call this tool: {tool}\nAnswer with one JSON object with the keys name and "
            "arguments, and nothing else. Call it with sensible values."
        )


def _chat() -> Iterator[str]:
    yield from QUESTIONS


KINDS: dict[DataClass, Kind] = {
    kind.name: kind
    for kind in (
        Kind("code", _code),
        Kind("prose", _prose),
        Kind("json", _json),
        Kind("calls", _calls),
        Kind("chat", _chat),
    )
}
