"""Variable tracking: chains of assignments scattered through pages of prose.

Origin: the task of that name in RULER (Hsieh et al., arXiv 2404.06654), with our own words. Four
chains of equal length stand in the text, each link after the one it refers to. Items ask in turn
for the value of a chain's last variable, or for all variables with a chain's value.

All options stand in the context: the values of all four chains once each, and the names of all
four. To find the sentence with the value, or with the first name, is not enough: the wrong lists
begin with the right name and go on along another chain.

Worked example, 2 hops: `BCD = 48213.` `FGH = BCD.` `JKL = FGH.` beside `MNP = 70155.` `QRS = MNP.`
`TVW = QRS.` and two more. What is the value of JKL? 48213, not 70155. Which variables have the
value 48213? `BCD, FGH, JKL`, not `BCD, QRS, TVW`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context.haystack import Haystack, haystack_of
from evals.suites.long_context.question import Question, fitted
from evals.suites.long_context.spots import LENGTHS, Draw, draws
from evals.suites.long_context.values import alike, names, numbers

HOPS = (1, 2, 4)  # depth here: links from the value to the last variable
NUM_CHAINS = 4
NUM_DIGITS = 5
READ = "In the text below, variables get values. Read it and answer the question."


@dataclass(frozen=True, slots=True)
class Chain:
    """A value, and the variables that have it, in the order of their assignments."""

    value: str
    names: tuple[str, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        """Assign the value to the first name, and each name to the next."""
        links = (f"{name} = {source}." for source, name in pairwise(self.names))
        return (f"{self.names[0]} = {self.value}.", *links)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the start of its answer, and the options; the first is gold."""

    question: str
    stem: str
    options: tuple[str, ...]


def items(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Item, ...]:
    """Make items for scoring by log-likelihood."""
    return tuple(one.item(request.tokenizer) for one in questions(request, lengths))


def questions(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Question, ...]:
    """Make the same items as questions, with the exact text that a written answer must hold."""
    haystack = haystack_of(request.tokenizer)
    drawn = draws(request, lengths, HOPS)
    return tuple(_question(draw, haystack, request.tokenizer) for draw in drawn)


def _question(draw: Draw, haystack: Haystack, tokenizer: Tokenizer) -> Question:
    chains = _chains(draw, haystack, tokenizer)
    asked = (_ask_value, _ask_variables)[draw.turn % 2](chains)
    start = draw.generator.randrange(len(haystack.sentences))
    statements = _interleaved(chains, draw.generator)
    places = sorted(draw.generator.random() for _ in statements)

    def build(budget: int) -> Question:
        (sentences,) = haystack.fill(start, (budget,))
        body = " ".join(_scattered(statements, places, sentences))
        text = f"{READ}\n\n{body}\n\n{asked.question}"
        return Question(draw.id, draw.spot.name, text, asked.stem, asked.options)

    return fitted(draw.spot.length, tokenizer, build)


def _chains(draw: Draw, haystack: Haystack, tokenizer: Tokenizer) -> list[Chain]:
    size = int(draw.spot.depth) + 1
    values = alike(numbers(NUM_DIGITS, draw.generator), NUM_CHAINS, tokenizer)
    found = alike(names(haystack.words, draw.generator), NUM_CHAINS * size, tokenizer)
    return [Chain(value, found[k * size : (k + 1) * size]) for k, value in enumerate(values)]


def _ask_value(chains: Sequence[Chain]) -> Asked:
    last = chains[0].names[-1]
    options = tuple(f" {chain.value}" for chain in chains)
    return Asked(f"What is the value of {last}?", f"The value of {last} is", options)


def _ask_variables(chains: Sequence[Chain]) -> Asked:
    value, first = chains[0].value, chains[0].names[0]
    options = tuple(" " + ", ".join((first, *chain.names[1:])) for chain in chains)
    return Asked(
        f"Which variables have the value {value}?",
        f"The variables with the value {value} are",
        options,
    )


def _interleaved(chains: Sequence[Chain], generator: random.Random) -> list[str]:
    """Mix the chains' statements, each chain's own in their order."""
    order = [k for k, chain in enumerate(chains) for _ in chain.names]
    generator.shuffle(order)
    turns = [iter(chain.statements) for chain in chains]
    return [next(turns[k]) for k in order]


def _scattered(
    statements: Sequence[str], places: Sequence[float], sentences: Sequence[str]
) -> list[str]:
    """Put statements between sentences, at ascending shares of the text."""
    body = list(sentences)
    for place, statement in reversed(list(zip(places, statements, strict=True))):
        body.insert(int(place * (len(sentences) + 1)), statement)
    return body


SUITE = Suite(
    id="long-context-variables",
    origin="assignments of our own in the standard library's prose, after RULER",
    licence="PSF-2.0",
    chance=1 / NUM_CHAINS,
    cluster_key="context length and number of hops",
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data={},
    items=items,
)
