"""What was said: answers read into turns and steps, and the conversation they are part of.

A text of calls is a step: its calls are played and their results come back. Any other text ends the
turn, be it that nothing is left to do, or that it cannot be read; then the user says what is next.

Example: of `[ls()]`, `[cd(folder='a')]`, `Done.`, `[pwd()]` the first turn has two steps, and the
second, still open, one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.suites.calls.call import Call, Calls, Failure
from evals.suites.calls.parsing import parse_text
from evals.suites.calls.scenes import Scene, Turn
from evals.suites.calls.signatures import listed
from evals.suites.calls.world import Result
from evals.suites.written import Message

ASKED = (
    "Answer with the calls alone, as a list in Python syntax with named arguments, such as "
    "[area(base=10, height=5)]. You are then told their results, and may call again. When nothing "
    "is left to call, say so in one sentence and call nothing."
)


@dataclass(frozen=True, slots=True)
class Said:
    """One turn's answers: a step for each that called, and how it ended."""

    texts: tuple[str, ...]
    steps: tuple[Calls, ...]
    ending: Failure | None  # why its last text cannot be read; None: it can, or the turn is open
    is_open: bool

    @property
    def calls(self) -> Calls:
        """The calls of all steps."""
        return tuple(call for step in self.steps for call in step)


def read(texts: Sequence[str]) -> list[Said]:
    """Read the answers so far; only the last turn may be open."""
    turns: list[Said] = []
    steps: list[Calls] = []
    begins = 0
    for at, text in enumerate(texts):
        parsed = parse_text(text)
        if isinstance(parsed, tuple) and parsed:
            steps.append(parsed)
            continue
        ending = parsed if isinstance(parsed, Failure) else None
        turns.append(Said(tuple(texts[begins : at + 1]), tuple(steps), ending, False))
        steps, begins = [], at + 1
    if steps:
        turns.append(Said(tuple(texts[begins:]), tuple(steps), None, True))
    return turns


def opening(scene: Scene) -> str:
    """Write the first message: the functions, how to call them, and what the user wants first."""
    first = scene.turns[0]
    return f"These functions can be called:\n{listed(first.functions)}\n\n{ASKED}\n\n{first.words}"


def messages(
    scene: Scene, said: Sequence[Said], results: Sequence[Sequence[Result]]
) -> list[Message]:
    """Write the conversation up to what the model is to answer next."""
    found = [_user(opening(scene))]
    for at, (turn, given) in enumerate(zip(said, results, strict=True)):
        if at > 0:
            found.append(_user(_following(scene.turns[at])))
        found.extend(_exchange(turn, given))
    if said and not said[-1].is_open:
        found.append(_user(_following(scene.turns[len(said)])))
    return found


def _exchange(turn: Said, results: Sequence[Result]) -> Iterator[Message]:
    left = iter(results)
    for text, step in zip(turn.texts, turn.steps, strict=False):
        yield {"role": "assistant", "content": text}
        yield _user("\n".join(_told(call, next(left)) for call in step))
    if not turn.is_open:
        yield {"role": "assistant", "content": turn.texts[-1]}


def _told(call: Call, result: Result) -> str:
    return f"{call.function} gave: {result.text}"


def _following(turn: Turn) -> str:
    if not turn.functions:
        return turn.words
    offered = f"These functions can be called as well from now on:\n{listed(turn.functions)}"
    return f"{offered}\n\n{turn.words or 'Can you do it now?'}"


def _user(words: str) -> Message:
    return {"role": "user", "content": words}
