"""One question over a long text, for both ways of asking it.

By log-likelihood: the rendered prompt and the start of an answer, then options that go on from it.
By generation: the prompt alone. A written answer is right when it holds every word of the gold
option and no word that only wrong options hold; RULER (Hsieh et al., arXiv 2404.06654) asks for the
first half of that, which an answer that lists everything passes.

Example: gold ` 48213`, wrong ` 48713`: "It is 48213." is right, "48213 or 48713" is not.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.suites.item import Item, Tokenizer
from variants.errors import MeasurementError

WORD = re.compile(r"\w+")
TOLERANCE = 0.05  # a context has 95 to 100 % of the tokens asked
ROUNDS = 16


@dataclass(frozen=True, slots=True)
class Question:
    """What is read and asked, and its answers; `options[0]` is gold."""

    id: str
    cluster: str
    text: str  # the user's message
    stem: str  # the start of an answer
    options: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The exact text a written answer must hold."""
        return self.options[0].strip()

    def item(self, tokenizer: Tokenizer) -> Item:
        """Render it for scoring by log-likelihood."""
        prompt = tokenizer.render_chat([{"role": "user", "content": self.text}])
        return Item(self.id, self.cluster, prompt + self.stem, self.options)


def is_right(written: str, options: Sequence[str]) -> bool:
    """Whether a written answer holds the gold option, `options[0]`, and nothing of the others."""
    gold, said = set(WORD.findall(options[0])), set(WORD.findall(written))
    wrong = {word for option in options[1:] for word in WORD.findall(option)} - gold
    return gold <= said and wrong.isdisjoint(said)


def fitted(length: int, tokenizer: Tokenizer, build: Callable[[int], Question]) -> Question:
    """Build a question whose context has the asked number of tokens, or up to 5 % fewer.

    `build` takes the tokens left for filler. Texts that are joined have other token counts than
    apart, so the whole is counted, and the filler changed, until it fits.

    Raises:
        MeasurementError: the length leaves no room, the filler runs out, or the options have
            different token lengths.
    """
    missing = length - _num_tokens(build(0), tokenizer)
    if missing < 0:
        raise MeasurementError(
            f"{build(0).id} needs {length - missing} tokens without any filler, {length} were "
            "asked; ask for longer contexts"
        )
    budget = missing
    for _ in range(ROUNDS):
        question = build(budget)
        missing = length - _num_tokens(question, tokenizer)
        if 0 <= missing <= TOLERANCE * length:
            return _checked(question, tokenizer)
        budget += missing if missing < 0 else missing // 2 + 1  # half: not back and forth
    raise MeasurementError(
        f"{question.id} has {length - missing} tokens and {length} were asked: there is no more "
        "filler, or it comes in too large pieces; ask for another length"
    )


def _num_tokens(question: Question, tokenizer: Tokenizer) -> int:
    return len(tokenizer.encode(question.item(tokenizer).context))


def _checked(question: Question, tokenizer: Tokenizer) -> Question:
    lengths = [len(tokenizer.encode(option)) for option in question.options]
    if len(set(lengths)) > 1 or len(set(question.options)) < len(question.options):
        raise MeasurementError(
            f"{question.id} has options {question.options} of {lengths} tokens; leave this suite "
            "out for this tokenizer"
        )
    return question
