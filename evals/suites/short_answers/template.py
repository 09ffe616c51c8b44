"""What a template of short questions is: how one is drawn, and how its answer is read.

Example: template `add` draws "What is 17 + 25?", whose answer is read as a number and is "42".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from evals.suites.short_answers.reading import Reading


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, its answer, and what else stands to choose from (for `one-of`)."""

    words: str
    answer: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A family of questions."""

    id: str
    reading: Reading
    draw: Callable[[Random], Asked]


def asked(words: str, answer: object, choice: Iterable[str] = ()) -> Asked:
    """Pair a question with its answer, and with all that it could have been taken for."""
    return Asked(words, str(answer), tuple(one for one in choice if one != answer))
