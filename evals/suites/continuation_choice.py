"""Continuation choice: which of four continuations follows a passage of prose?

Origin: the standard library's own prose (`variants.prose`, evaluation half: PSF licence), after
the idea of HellaSwag (Zellers et al., 2019) without adversarial filtering. The wrong options are
continuations of other passages of the same topic where it has enough, else of other topics. All
options have the same number of tokens, so summed and per-token log-likelihood order them alike.

Example: context `... The "if" statement is used for conditional`, gold ` execution: it selects
exactly one of the suites by evaluating ...` against three other cuts of 16 tokens.
"""

import random

from evals.suites.item import Item, Request, Suite, Tokenizer, draw_items
from evals.suites.overlap import has_seen, runs_of
from variants.prose import passages

CONTEXT_TOKENS = 40
OPTION_TOKENS = 16
NUM_WRONG = 3


def items(request: Request) -> tuple[Item, ...]:
    """Cut every passage into context and continuation, and draw items from the cuts."""
    cuts = {topic: _cuts(text, request.tokenizer) for topic, text in passages("evaluation").items()}
    generator = random.Random(request.seed)
    everywhere = [option for pairs in cuts.values() for _, option in pairs]
    pool = [
        Item(
            f"{topic}#{index}", topic, context, (gold, *_wrong(index, pairs, everywhere, generator))
        )
        for topic, pairs in cuts.items()
        for index, (context, gold) in enumerate(pairs)
    ]
    seen = runs_of(passages("calibration").values())  # some docstrings are in both halves
    return draw_items([item for item in pool if not has_seen(seen, item)], request)


def _cuts(text: str, tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """Cut a passage into (context, continuation) pairs at word boundaries."""
    tokens = tokenizer.encode(" " + text)
    pairs, start = [], 0
    while start + CONTEXT_TOKENS + 2 * OPTION_TOKENS < len(tokens):
        split = _next_word(tokens, start + CONTEXT_TOKENS, tokenizer)
        context, option = tokens[start:split], tokens[split : split + OPTION_TOKENS]
        is_whole = len(option) == OPTION_TOKENS  # a long last word can leave too little
        if is_whole and _round_trips(context, tokenizer) and _round_trips(option, tokenizer):
            pairs.append((tokenizer.decode(context), tokenizer.decode(option)))
        start = _next_word(tokens, split + OPTION_TOKENS, tokenizer)
    return pairs


def _next_word(tokens: list[int], position: int, tokenizer: Tokenizer) -> int:
    while (
        position < len(tokens)
        and not tokenizer.decode(tokens[position : position + 1])[:1].isspace()
    ):
        position += 1
    return position


def _round_trips(tokens: list[int], tokenizer: Tokenizer) -> bool:
    """Whether the text of these tokens gives these tokens again (lm-eval passes text)."""
    return len(tokens) > 0 and tokenizer.encode(tokenizer.decode(tokens)) == tokens


def _wrong(
    index: int, pairs: list[tuple[str, str]], everywhere: list[str], generator: random.Random
) -> tuple[str, ...]:
    gold = pairs[index][1]
    near = sorted({option for _, option in pairs} - {gold})
    source = near if len(near) >= NUM_WRONG else sorted(set(everywhere) - {gold})
    return tuple(generator.sample(source, NUM_WRONG))


SUITE = Suite(
    id="continuation-choice",
    origin="the standard library's language reference and docstrings",
    licence="PSF-2.0",
    chance=1 / (1 + NUM_WRONG),
    cluster_key="source topic",
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data={},
    items=items,
)
