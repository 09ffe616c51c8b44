"""Needle: one sentence with a number, somewhere in pages that have nothing to do with it.

Origin: the needle in a haystack (G. Kamradt, 2023), as RULER has it (Hsieh et al., arXiv
2404.06654), with our own words. The wrong options are the number with one digit changed. None of
them stands in the context: a model that finds the sentence copies it, digit by digit, and one that
does not has nothing to tell four numbers apart by.

Worked example: 1024 tokens at depth .25, of which statement, question and template take 84: 940 are
filler, 235 of them before the statement.
"""

from collections.abc import Sequence
from itertools import product

from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context.haystack import Haystack, haystack_of
from evals.suites.long_context.question import Question, fitted
from evals.suites.long_context.spots import DEPTHS, LENGTHS, Draw, draws
from evals.suites.long_context.values import like, near_numbers, numbers

NUM_DIGITS = 5
NUM_WRONG = 3
COLOURS = ("amber", "crimson", "indigo", "ivory", "olive", "purple", "scarlet", "teal")
BIRDS = ("finch", "heron", "lark", "magpie", "osprey", "plover", "swallow", "wren")
OWNERS = tuple(" ".join(pair) for pair in product(COLOURS, BIRDS))
READ = "Read the text and answer the question below it."


def items(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Item, ...]:
    """Make items for scoring by log-likelihood."""
    return tuple(one.item(request.tokenizer) for one in questions(request, lengths))


def questions(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Question, ...]:
    """Make the same items as questions, with the exact text that a written answer must hold."""
    haystack = haystack_of(request.tokenizer)
    drawn = draws(request, lengths, DEPTHS)
    return tuple(_question(draw, haystack, request.tokenizer) for draw in drawn)


def _question(draw: Draw, haystack: Haystack, tokenizer: Tokenizer) -> Question:
    owner = draw.generator.choice(OWNERS)
    start = draw.generator.randrange(len(haystack.sentences))
    gold = next(numbers(NUM_DIGITS, draw.generator))
    near = near_numbers(gold, range(NUM_DIGITS), draw.generator)
    options = tuple(f" {number}" for number in (gold, *like(gold, near, NUM_WRONG, tokenizer)))
    stem = f"The locker code of the {owner} is"

    def build(budget: int) -> Question:
        num_before = round(draw.spot.depth * budget)
        before, after = haystack.fill(start, (num_before, budget - num_before))
        body = " ".join([*before, f"{stem} {gold}.", *after])
        text = f"{READ}\n\n{body}\n\nWhat is the locker code of the {owner}?"
        return Question(draw.id, draw.spot.name, text, stem, options)

    return fitted(draw.spot.length, tokenizer, build)


SUITE = Suite(
    id="long-context-needle",
    origin="a sentence of our own in the standard library's prose, after RULER",
    licence="PSF-2.0",
    chance=1 / (1 + NUM_WRONG),
    cluster_key="context length and depth",
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data={},
    items=items,
)
