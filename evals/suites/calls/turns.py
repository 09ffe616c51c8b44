"""The suite of calls over several turns: a conversation with toy APIs that remember.

Origin: BFCL version 4, multi-turn categories (`scenes.py`), judged by state and results as its
published checker does (`world.py`; `make bench-calls` compares them). After each turn the APIs must
be as the right calls leave them, and the results must hold theirs; whatever calls led there. The
first turn that fails ends the conversation, for the item is wrong from there on. So does a turn of
more than 10 steps (published: 20), and a conversation that leaves less than 192 tokens of the
context of 2,048 that engines are served with: both are too_many_steps.

What fits: functions are offered in one line each (`signatures.py`), and items are drawn from those
whose right conversation, one step per turn, leaves room for one answer more. By the tokenizer of
SmolLM2 that are 429 of 600: 146 of `base`, 140 of `miss_func`, 143 of `miss_param`. `long_context`
is left out: 178 of its 200 do not fit, and in the others nothing long is ever read.

The class of an error is a diagnosis, made on the turn that failed: parse_error where its last text
holds a call that cannot be read; a function never offered is a hallucinated_call; dropped where
calls are too few; else how the nearest call misses a right one. It is an execution_error where a
call raised and its form does not say why, and wrong_state where all right calls were made and the
state or the results are others.

Example: right is `cd(folder='temp')`, then `ls()`. `[cd(folder='temp')]`, `[ls()]`, `Done.` is
right; `[ls()]`, `Done.` is dropped; `[cd(folder='tmp'), ls()]`, `Done.` is wrong_value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.suites.calls.call import Call, Calls, Failure, Kind, render
from evals.suites.calls.checking import nearest_miss
from evals.suites.calls.conversation import Said, messages, opening, read
from evals.suites.calls.marks import holds_call
from evals.suites.calls.rows import Wanted
from evals.suites.calls.scenes import PLAYED, Scene, Turn, addresses, scenes, sources
from evals.suites.calls.stage import Played, Stage
from evals.suites.item import Request, Tokenizer, draw_items
from evals.suites.language import is_degenerate
from evals.suites.written import Answer, Mark, Message, Question, WrittenSuite

MAX_TOKENS = 192  # of one answer; the longest right one has 174
CONTEXT = 2048  # tokens, `variants.specs.spec.Serving`
MAX_STEPS = 10  # in a turn; the longest right turn has 7 calls
ENDED = "Done."  # how a turn ends where nobody is asked
OVER = Failure("too_many_steps", "it was not over in the steps, or the tokens, there were")
KILLED = Failure("execution_error", "a call took too much time or memory")
RAISING: tuple[Kind, ...] = (
    "wrong_function", "missing_argument", "unexpected_argument", "wrong_type",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A scene, the stage it is played on, and the tokenizer that says whether it still fits."""

    scene: Scene
    stage: Stage
    tokenizer: Tokenizer

    def follow(self, answer: Answer) -> list[Message] | None:
        """Return the conversation to be answered next; None where it is over."""
        said = read((*answer.earlier, answer.text))
        played = self._played(said)
        if played is None or _failure(self.scene, said, played) is not None:
            return None
        if len(said) == len(self.scene.turns) and not said[-1].is_open:
            return None
        found = messages(self.scene, said, [one.results for one in played])
        return found if self._num_tokens(found) + MAX_TOKENS <= CONTEXT else None

    def judge(self, answer: Answer) -> Failure | None:
        """Say what is wrong with a conversation that is over, or None where it is right."""
        said = read((*answer.earlier, answer.text))
        played = self._played(said)
        if played is None:
            return KILLED
        if (failure := _failure(self.scene, said, played)) is not None:
            return failure
        is_whole = len(said) == len(self.scene.turns) and not said[-1].is_open
        return None if is_whole else OVER

    def mark(self, answer: Answer) -> Mark:
        """Mark a conversation that is over."""
        failure = self.judge(answer)
        if failure is None:
            return Mark(True, False)
        is_noise = all(map(is_degenerate, (*answer.earlier, answer.text)))
        return Mark(False, is_noise, failure.kind)

    def fits(self) -> bool:
        """Whether the right conversation leaves room for one more answer."""
        texts = right_texts(self.scene)[:-1]  # the last is the answer there has to be room for
        return self.follow(Answer(texts[-1], earlier=texts[:-1])) is not None

    def _played(self, said: Sequence[Said]) -> tuple[Played, ...] | None:
        return self.stage.play(self.scene, [turn.calls for turn in said])

    def _num_tokens(self, conversation: list[Message]) -> int:
        return len(self.tokenizer.encode(self.tokenizer.render_chat(conversation)))


def right_texts(scene: Scene) -> tuple[str, ...]:
    """Write the right answers: the calls of a turn in one step, then its end."""
    found: list[str] = []
    for turn in scene.turns:
        found += [render(turn.gold), ENDED] if turn.gold else [ENDED]
    return tuple(found)


def turns_items(request: Request) -> tuple[Question, ...]:
    """Draw conversations that fit."""
    stage = Stage(sources(request.files))
    found = [Dialogue(one, stage, request.tokenizer) for one in scenes(request.files, PLAYED)]
    fitting = [dialogue for dialogue in found if dialogue.fits()]
    return tuple(
        Question(
            dialogue.scene.id, dialogue.scene.cluster, opening(dialogue.scene), MAX_TOKENS,
            dialogue.mark, follow=dialogue.follow,
        )
        for dialogue in draw_items(fitting, request)
    )  # fmt: skip


def _failure(scene: Scene, said: Sequence[Said], played: Sequence[Played]) -> Failure | None:
    """Say what is wrong with the first turn that is over and failed, or that does not end."""
    for turn, wrote, was in zip(scene.turns, said, played, strict=False):
        if len(wrote.steps) > MAX_STEPS:
            return OVER
        if was.fault and not wrote.is_open:
            return _diagnosis(scene, turn, wrote, was)
    return None


def _diagnosis(scene: Scene, turn: Turn, said: Said, played: Played) -> Failure:
    offered = {one["name"] for one in scene.functions}
    if said.ending is not None and holds_call(said.texts[-1], offered):
        return said.ending
    if strange := [call.function for call in said.calls if call.function not in offered]:
        return Failure("hallucinated_call", f"{strange[0]} was never offered")
    miss = _miss(scene, turn, said.calls)
    raised = [one.text for one in played.results if one.is_raised]
    if raised and (miss is None or miss.kind not in RAISING):
        return Failure("execution_error", raised[0])
    return miss or Failure("wrong_state", f"after all right calls the {played.fault} is another")


def _miss(scene: Scene, turn: Turn, calls: Calls) -> Failure | None:
    """Say how the calls of a turn miss the right ones; None where all of these are among them."""
    if len(calls) < len(turn.gold):
        return Failure("dropped", f"{len(calls)} calls, {len(turn.gold)} are right")
    parameters = {one["name"]: one["parameters"] for one in scene.functions}
    wanted = tuple(_wanted(call, parameters.get(call.function, {})) for call in turn.gold)
    return nearest_miss(wanted, calls)


def _wanted(call: Call, parameters: dict[str, object]) -> Wanted:
    accepted = {name: [_accepted(value)] for name, value in call.arguments.items()}
    return Wanted(call.function, accepted, parameters)


def _accepted(value: object) -> object:
    """Write a value as accepted ones are written: each key of a dict has a list of them."""
    if isinstance(value, dict):
        return {key: [_accepted(one)] for key, one in value.items()}
    return [_accepted(one) for one in value] if isinstance(value, list) else value


MULTI_TURN_CALLS = WrittenSuite(
    id="multi-turn-calls",
    origin="BFCL v4, multi-turn categories but long_context, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="APIs offered",
    rule="greedy; right if after every turn the APIs' state and the results are the right ones",
    items=turns_items,
    data=addresses(PLAYED),
)
