"""The three axes of a prompt: tools offered, turns before the question, tokens before it.

All settings of one base item come from one generator, and a higher level holds what a lower one
holds: the same tools and more, the same last turns and more before them. The longest prompts fit a
context of 2,048 tokens: 32 tools of about 35 tokens are 1,120, the question and what is said of
the form about 250, an answer 160; or 1,536 tokens of prose and 4 tools.

Example: 8 tools offered are the 4 of the level before, in the same order, and 4 among them.
"""

import random

from evals.suites.cliffs.axis import Axis, Backdrop, Function, Setting, Turn
from evals.suites.cliffs.offered import others

TOOLS = (1, 2, 4, 8, 16, 32)
TURNS = (1, 2, 4, 8, 16)
TOKENS = (128, 256, 512, 768, 1024, 1536)
NUM_OFFERED = 4  # tools, where they are not the axis: one called, three others
MAX_SENTENCE_CHARACTERS = 160  # about 40 tokens: 16 turns of them are 1,000 with the template
ASKED_BEFORE = (
    "Tell me something about this library.",
    "What else should I know?",
    "Go on, please.",
    "And what comes after that?",
)


def offered(called: Function, backdrop: Backdrop, generator: random.Random) -> dict[int, Setting]:
    """Offer the function among more and more others."""
    tools = (called, *others(called, backdrop.functions, TOOLS[-1] - 1, generator))
    places = generator.sample(range(len(tools)), len(tools))
    return {
        level: Setting(tuple(tools[at] for at in sorted(range(level), key=places.__getitem__)))
        for level in TOOLS
    }


def talked(called: Function, backdrop: Backdrop, generator: random.Random) -> dict[int, Setting]:
    """Put turns about other things between the tools and the question."""
    tools = _few(called, backdrop, generator)
    short = [s for s in backdrop.haystack.sentences if len(s) <= MAX_SENTENCE_CHARACTERS]
    answers = generator.sample(short, TURNS[-1])
    turns: list[Turn] = [(generator.choice(ASKED_BEFORE), answer) for answer in answers]
    return {level: Setting(tools, tuple(turns[-level:])) for level in TURNS}


def filled(called: Function, backdrop: Backdrop, generator: random.Random) -> dict[int, Setting]:
    """Put prose between the tools and the question."""
    tools = _few(called, backdrop, generator)
    start = generator.randrange(len(backdrop.haystack.sentences))
    return {
        level: Setting(tools, filler=" ".join(*backdrop.haystack.fill(start, (level,))))
        for level in TOKENS
    }


def _few(called: Function, backdrop: Backdrop, generator: random.Random) -> tuple[Function, ...]:
    tools = [called, *others(called, backdrop.functions, NUM_OFFERED - 1, generator)]
    return tuple(generator.sample(tools, len(tools)))


BY_TOOLS = Axis("tools offered", TOOLS, offered)
BY_TURNS = Axis("turns before the question", TURNS, talked)
BY_TOKENS = Axis("tokens of prose before the question", TOKENS, filled)
