"""The Pareto front: the arms that no other beats in everything at once (V. Pareto, 1896).

Every axis is turned so that more is better. An arm is behind another that is nowhere worse and
somewhere better, by the estimates. Two arms whose bounds overlap on every axis are not told apart,
whatever the estimates say.

Example: a (0 points, 20 tokens/s), b (-1, 30), c (-2, 25): c is behind b; a and b are the front.
With c's points bounded [-3, -1] and b's [-2, 0], and speeds [20, 31] and [27, 33], c and b are not
told apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """A figure of which more is better, and its bounds; without bounds it is its own."""

    estimate: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """An arm by name, with one extent per axis."""

    name: str
    extents: tuple[Extent, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Who beats an arm, and from whom it is not told apart."""

    behind: tuple[str, ...]
    not_told_apart: tuple[str, ...]

    @property
    def is_on_front(self) -> bool:
        """Whether nobody beats it."""
        return not self.behind


def places(candidates: Sequence[Candidate]) -> dict[str, Place]:
    """Say of every candidate who beats it, and from whom it is not told apart."""
    return {
        one.name: Place(
            tuple(other.name for other in candidates if _beats(other, one)),
            tuple(other.name for other in candidates if other is not one and _is_near(other, one)),
        )
        for one in candidates
    }


def _beats(one: Candidate, other: Candidate) -> bool:
    pairs = [(a.estimate, b.estimate) for a, b in zip(one.extents, other.extents, strict=True)]
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def _is_near(one: Candidate, other: Candidate) -> bool:
    return all(
        a.lower <= b.upper and b.lower <= a.upper
        for a, b in zip(one.extents, other.extents, strict=True)
    )
