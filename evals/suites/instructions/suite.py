"""The suite of instructions that a program can check; a prompt counts if all its own are followed.

Origin: own tasks and wording (`families.yaml`), after the idea of IFEval (arXiv 2311.07911). Judged
strictly: what only the loose reading would take is wrong, and named `loose` in the record.
"""

from functools import partial

from evals.suites.instructions.following import judge
from evals.suites.instructions.prompts import Prompt, draw_prompts
from evals.suites.item import Request, draw_items
from evals.suites.language import is_degenerate
from evals.suites.written import Answer, Mark, Question, WrittenSuite

MAX_TOKENS = 400  # the tasks ask for 40 to 200 words; a word takes about 1.3 tokens


def items(request: Request) -> tuple[Question, ...]:
    """Draw prompts, in an order that depends on the seed only."""
    return tuple(map(_question, draw_items(draw_prompts(request.seed), request)))


def _question(prompt: Prompt) -> Question:
    return Question(prompt.id, prompt.family, prompt.text, MAX_TOKENS, partial(_mark, prompt))


def _mark(prompt: Prompt, answer: Answer) -> Mark:
    found, degenerate = judge(prompt, answer.text), is_degenerate(answer.text)
    if degenerate or not found.is_strict:
        broken = [
            one.kind for one, is_kept in zip(prompt.instructions, found.strict, strict=True)
            if not is_kept
        ]  # fmt: skip
        error = "degenerate" if degenerate else "loose" if found.is_loose else broken[0]
        return Mark(False, degenerate, error)
    return Mark(True, False)


SUITE = WrittenSuite(
    id="instructions",
    origin="own tasks and checkers, after the idea of IFEval (arXiv 2311.07911)",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="writing task",
    rule="greedy; right if every instruction of the prompt is followed, strictly",
    items=items,
)
