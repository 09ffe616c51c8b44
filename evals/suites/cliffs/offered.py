"""The functions offered beside the one that is called: those of other questions.

A function that shares a word of its name with the one called might answer the question as well, so
it is not offered beside it. Functions are written on one line each, `name(argument: type, ...) -
description`: as JSON, 32 of them would take 4,600 tokens.

Example: beside `area(base, height)` there may stand `weather(city)`, never `circle_area(radius)`.
"""

import random
import re
from collections.abc import Iterable, Sequence

from evals.suites.bfcl import Row
from evals.suites.cliffs.axis import Function
from evals.suites.tool_calling import signature
from variants.errors import MeasurementError

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
MAX_SIGNATURE_CHARACTERS = 160  # about 40 tokens; 32 of them are 1,280
MAX_QUESTION_CHARACTERS = 500  # about 125 tokens


def pool_of(rows: Iterable[Row]) -> tuple[Function, ...]:
    """Collect the functions that fit on a line, each name once."""
    found = {str(one["name"]): one for row in rows for one in row.functions if is_short(one)}
    return tuple(found[name] for name in sorted(found))


def is_short(function: Function) -> bool:
    """Whether a function fits on a line; text beyond ASCII takes too many tokens to say."""
    line = signature(function)
    return line.isascii() and len(line) <= MAX_SIGNATURE_CHARACTERS


def is_brief(question: str) -> bool:
    """Whether a question leaves room for what stands before it."""
    return question.isascii() and len(question) <= MAX_QUESTION_CHARACTERS


def others(
    called: Function, pool: Sequence[Function], num: int, generator: random.Random
) -> list[Function]:
    """Draw functions that have nothing to do with the one called.

    Raises:
        MeasurementError: there are too few.
    """
    taken = words_of(str(called["name"]))
    fitting = [one for one in pool if taken.isdisjoint(words_of(str(one["name"])))]
    if len(fitting) < num:
        raise MeasurementError(
            f"{len(fitting)} functions can stand beside {called['name']}, {num} are needed; give "
            "all files of the leaderboard"
        )
    return generator.sample(fitting, num)


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name: `math.circleArea_of` has math, circle, area and of."""
    return frozenset(word.lower() for word in WORD.findall(name))
