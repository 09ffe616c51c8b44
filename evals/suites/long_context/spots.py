"""Which length and depth each item has: every spot in turn, so that any first part is even.

Item number n depends on the seed and n alone: a longer draw begins with the shorter one.

Example: lengths 512 and 1024 at depths 0 and 1 are 4 spots; item 5 is the second (turn 1) of
`512@1`. A server that takes 2,048 tokens is asked 512, 1024 and 1984: what is longer it would
refuse, and a refusal says nothing of the model.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from evals.suites.item import Request
from variants.errors import MeasurementError

LENGTHS = (512, 1024, 2048, 4096)  # tokens; half of a context of 8192 stays free
ROOM = 64  # tokens for an answer; the question and the template are part of a length
DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A context length in tokens, and a depth: a share of it, or a number of hops."""

    length: int
    depth: float

    @property
    def name(self) -> str:
        """Return `1024@0.25`: the cluster of its items."""
        return f"{self.length}@{self.depth:g}"


@dataclass(frozen=True, slots=True)
class Draw:
    """One item to be made: how often its spot came before, and where its numbers come from."""

    spot: Spot
    turn: int
    generator: random.Random

    @property
    def id(self) -> str:
        """Return `1024@0.25#3`."""
        return f"{self.spot.name}#{self.turn}"


def draws(request: Request, lengths: Sequence[int], depths: Sequence[float]) -> Iterator[Draw]:
    """Give each item of a request its spot and a generator of its own.

    Raises:
        MeasurementError: no length is given, or one is twice.
    """
    if not lengths or len(set(lengths)) < len(lengths):
        raise MeasurementError(f"context lengths are {list(lengths)}; give each one once")
    taken = _taken(lengths, request.window)
    spots = [Spot(length, depth) for length, depth in product(taken, depths)]
    for number in range(request.num_items):
        turn, place = divmod(number, len(spots))
        yield Draw(spots[place], turn, random.Random(f"{request.seed} {number}"))


def _taken(lengths: Sequence[int], window: int | None) -> tuple[int, ...]:
    """Leave out what the server does not take, and ask the longest that it does instead."""
    if window is None or max(lengths) + ROOM <= window:
        return tuple(lengths)
    fitting = [length for length in lengths if length + ROOM <= window]
    return tuple(dict.fromkeys([*fitting, window - ROOM]))
