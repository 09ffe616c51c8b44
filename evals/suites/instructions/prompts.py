"""Prompts of one to three instructions: every family six times, every kind about equally often.

The kind asked next is one of those asked least so far that contradict none of the prompt's others.
The first of a prompt can be any kind, so with K kinds and P prompts each is asked at least P // K
times.

Example: 54 families give 324 prompts with 54 * (1 + 2 + 3) * 2 = 648 instructions; each of 29 kinds
is asked at least 324 // 29 = 11 times, and 648 / 29 = 22 times on average.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace

from evals.suites.instructions.conflicts import is_conflict
from evals.suites.instructions.families import Family, load_families
from evals.suites.instructions.instruction import NUM_PHRASINGS, Instruction
from evals.suites.instructions.kinds import KINDS
from evals.suites.instructions.occasion import Occasion

NUM_INSTRUCTIONS = (1, 2, 3, 1, 2, 3)  # of a family's prompts, in order


@dataclass(frozen=True, slots=True)
class Prompt:
    """A writing task and what its answer must be like."""

    id: str
    family: str
    text: str
    instructions: tuple[Instruction, ...]


def draw_prompts(seed: int) -> tuple[Prompt, ...]:
    """Draw the prompts, in an order and with parameters that depend on the seed only."""
    generator, uses = random.Random(seed), Counter(dict.fromkeys(KINDS, 0))
    return tuple(
        _prompt(family, number, _choose(num, uses, generator), generator)
        for family in load_families()
        for number, num in enumerate(NUM_INSTRUCTIONS, 1)
    )


def _choose(num: int, uses: Counter[str], generator: random.Random) -> list[str]:
    """Choose kinds that go together, those used least first, and count them as used."""
    chosen: list[str] = []
    while len(chosen) < num:
        free = [kind for kind in KINDS if not any(is_conflict(kind, one) for one in chosen)]
        fewest = min(uses[kind] for kind in free)
        chosen.append(generator.choice([kind for kind in free if uses[kind] == fewest]))
        uses[chosen[-1]] += 1
    return chosen


def _prompt(family: Family, number: int, kinds: list[str], generator: random.Random) -> Prompt:
    occasion = Occasion(family.task, generator)
    instructions = tuple(_instruction(kind, occasion) for kind in kinds)
    asked = "\n".join(instruction.words for instruction in instructions)
    return Prompt(f"{family.id}-{number}", family.id, f"{family.task}\n\n{asked}", instructions)


def _instruction(kind: str, occasion: Occasion) -> Instruction:
    phrasing = occasion.number(0, NUM_PHRASINGS - 1)
    return replace(KINDS[kind](occasion), phrasing=phrasing)
