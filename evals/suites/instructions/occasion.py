"""What an instruction is drawn for: a task, and chance."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Occasion:
    """A writing task and the generator that its instructions' parameters come from."""

    task: str
    generator: random.Random

    def number(self, low: int, high: int, step: int = 1) -> int:
        """Draw from low, low + step, ... up to high, which is included."""
        return self.generator.randrange(low, high + 1, step)

    def one(self, pool: Sequence[Choice]) -> Choice:
        """Draw one of a pool."""
        return self.generator.choice(pool)

    def some(self, pool: Sequence[Choice], low: int, high: int) -> tuple[Choice, ...]:
        """Draw from low to high of a pool, none twice."""
        return tuple(self.generator.sample(pool, self.number(low, high)))
