"""A written call, and the words for what is wrong with one.

The kinds of failure, the first that holds: the answer cannot be read (`parse_error`), a call
stands in the text where the API should have given one (`as_text`), a function that was never
offered, or a call too many (`hallucinated_call`), one too few (`dropped`), another of the functions
offered (`wrong_function`), and within a call `missing_argument`, `unexpected_argument`,
`wrong_type` and `wrong_value`. Where calls are played (`turns.py`), one of them raised
(`execution_error`), the state they leave is another (`wrong_state`), or there is no end of them
(`too_many_steps`).

Example: wanted `area(base=10, height=5)`; `area(base=10)` is missing_argument,
`area(base=10, height="5")` wrong_type, `area(base=10, height=6)` wrong_value, `[]` dropped.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = (
    "str | int | float | bool | list[Value] | tuple[Value, ...] | dict[str, Value] | None"
)
Kind = Literal[
    "parse_error", "as_text", "hallucinated_call", "dropped", "wrong_function",
    "missing_argument", "unexpected_argument", "wrong_type", "wrong_value",
    "execution_error", "wrong_state", "too_many_steps",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """A function's name and its arguments by name."""

    function: str
    arguments: dict[str, Value]

    def render(self) -> str:
        """Return `name(argument=value, ...)`, as Python writes it."""
        listed = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.function}({listed})"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as an API gives it: the arguments are JSON text that nobody has read yet."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with an answer: its kind, and the value in words."""

    kind: Kind
    words: str


Calls = tuple[Call, ...]
Parsed: TypeAlias = Calls | Failure  # calls as they were written, perhaps none


def render(calls: Calls) -> str:
    """Return `[one(...), other(...)]`, the form that a text answer is asked for."""
    return f"[{', '.join(call.render() for call in calls)}]"
