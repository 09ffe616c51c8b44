"""Key and value: a JSON object whose keys are hard to tell apart; what belongs to one of them?

Origin: the retrieval task of Liu et al., "Lost in the Middle" (arXiv 2307.03172), with numbers for
its random identifiers. Keys share their first digits, and the wrong options are the values of three
keys that differ from the asked one in a single digit.

All options stand in the context, as values of keys: to copy some value is not enough.

Worked example: 4096 tokens hold about 250 pairs of 16 tokens. Twice as many keys need three digits
to differ in (1,000), so keys are 417000 to 417999; each has 27 others one digit away, of which
about a quarter are there.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context.question import Question, fitted
from evals.suites.long_context.spots import DEPTHS, LENGTHS, Draw, draws
from evals.suites.long_context.values import alike, near_numbers, numbers

KEY_DIGITS = 6
VALUE_DIGITS = 5
NUM_WRONG = 3
READ = "Read the JSON object and answer the question below it."
LINE = '"417203": 58213,\n'
Pair = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pair asked for, those one digit away with their places, and more than will fit."""

    asked: Pair
    near: tuple[Pair, ...]
    places: tuple[float, ...]
    others: tuple[Pair, ...]

    def first(self, num_others: int, depth: float) -> dict[str, int]:
        """Put the asked pair at its depth among so many others and the near ones."""
        chosen = list(self.others[:num_others])
        for place, pair in zip(self.places, self.near, strict=True):
            chosen.insert(int(place * (len(chosen) + 1)), pair)
        chosen.insert(round(depth * len(chosen)), self.asked)
        return dict(chosen)


def items(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Item, ...]:
    """Make items for scoring by log-likelihood."""
    return tuple(one.item(request.tokenizer) for one in questions(request, lengths))


def questions(request: Request, lengths: Sequence[int] = LENGTHS) -> tuple[Question, ...]:
    """Make the same items as questions, with the exact text that a written answer must hold."""
    return tuple(_question(draw, request.tokenizer) for draw in draws(request, lengths, DEPTHS))


def _question(draw: Draw, tokenizer: Tokenizer) -> Question:
    pair_tokens = len(tokenizer.encode(2 * LINE)) - len(tokenizer.encode(LINE))
    pairs = _pairs(draw, draw.spot.length // pair_tokens + 1, tokenizer)
    key = f'"{pairs.asked[0]}"'
    options = tuple(f" {value}" for _, value in (pairs.asked, *pairs.near))

    def build(budget: int) -> Question:
        written = json.dumps(pairs.first(budget // pair_tokens, draw.spot.depth), indent=0)
        text = f"{READ}\n\n{written}\n\nWhat is the value of {key}?"
        return Question(draw.id, draw.spot.name, text, f"The value of {key} is", options)

    return fitted(draw.spot.length, tokenizer, build)


def _pairs(draw: Draw, num_others: int, tokenizer: Tokenizer) -> Pairs:
    """Draw keys, the asked one first, then the near ones; values of the same tokens each."""
    generator = draw.generator
    num_free = next(n for n in range(1, KEY_DIGITS + 1) if 10**n >= 2 * num_others)
    key = next(numbers(KEY_DIGITS, generator))
    near = near_numbers(key, range(KEY_DIGITS - num_free, KEY_DIGITS), generator)
    keys = [key, *islice(near, NUM_WRONG)]
    free = (f"{key[:-num_free]}{tail:0{num_free}}" for tail in range(10**num_free))
    keys += generator.sample(sorted(set(free) - set(keys)), num_others)
    drawn = alike(numbers(VALUE_DIGITS, generator), len(keys), tokenizer)
    asked, *rest = zip(keys, map(int, drawn), strict=True)
    places = tuple(generator.random() for _ in range(NUM_WRONG))
    return Pairs(asked, tuple(rest[:NUM_WRONG]), places, tuple(rest[NUM_WRONG:]))


SUITE = Suite(
    id="long-context-pairs",
    origin="random numbers, after Lost in the Middle",
    licence="Apache-2.0",
    chance=1 / (1 + NUM_WRONG),
    cluster_key="context length and depth",
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data={},
    items=items,
)
