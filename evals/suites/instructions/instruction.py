"""What every kind of instruction is made of, and the slots each kind fills.

Origin: the idea of IFEval (Zhou et al., 2023, arXiv 2311.07911): ask only for what a program can
check. Wording and checkers are this project's own.

Example: `WordsAtLeast(50)` asks `Use 50 words or more.`, and an answer of 49 words does not follow
it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar

from evals.suites.instructions.reading import is_empty, tidy

NUM_PHRASINGS = 3  # of every kind


@dataclass(frozen=True, slots=True)
class Instruction(ABC):
    """One demand on an answer, with its parameters: how it is asked, and whether it is followed."""

    kind: ClassVar[str]
    phrasings: ClassVar[tuple[str, ...]]  # with the names of parameters in braces

    phrasing: int = field(default=0, kw_only=True)

    @property
    def words(self) -> str:
        """How it is asked."""
        parameters = {one.name: getattr(self, one.name) for one in fields(self)}
        shown = {
            name: listed(value) if isinstance(value, tuple) else value
            for name, value in parameters.items()
        }
        return self.phrasings[self.phrasing].format(**shown)

    def is_followed(self, answer: str) -> bool:
        """Whether an answer follows it; an empty answer follows nothing, not even a ban."""
        text = tidy(answer)
        return not is_empty(text) and self._holds(text)

    @abstractmethod
    def _holds(self, text: str) -> bool:
        """Whether a tidy text that is not empty does what is asked."""


def listed(words: Sequence[str]) -> str:
    """Write words as a list for a reader.

    Example: `a`, `b`, `c` gives `"a", "b" and "c"`.
    """
    *first, last = (f'"{word}"' for word in words)
    return f"{', '.join(first)} and {last}" if first else last
