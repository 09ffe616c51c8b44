"""An axis: its levels, and what stands around one and the same question at each of them.

Tool calls do not fade, they break: up to some number of tools, turns or tokens a model calls as it
always does, and beyond it hardly at all. A mean over a suite hides that. So each base item is asked
at every level, and one level is compared with another over the same items. Idea: context length as
an axis, RULER (Hsieh et al., arXiv 2404.06654); the same questions at each length, NoLiMa
(Modarressi et al., arXiv 2502.05167).

Example: `simple_python_3@8` is the base item `simple_python_3` with 8 tools offered.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evals.suites.long_context.haystack import Haystack
from variants.errors import MeasurementError

Function = dict[str, Any]  # name, description and parameters, as the leaderboard has them
Turn = tuple[str, str]  # what the user said, and what was answered
MARK = "@"


@dataclass(frozen=True, slots=True)
class Backdrop:
    """What settings are made of: functions that nobody asks for, and prose."""

    functions: tuple[Function, ...]
    haystack: Haystack


@dataclass(frozen=True, slots=True)
class Setting:
    """What stands around a question: the tools offered, the turns and the prose before it."""

    tools: tuple[Function, ...]
    turns: tuple[Turn, ...] = ()
    filler: str = ""

    def messages(self, system: str, asked: str) -> list[dict[str, str]]:
        """Render the conversation up to the question."""
        turns = (
            {"role": role, "content": words}
            for turn in self.turns
            for role, words in zip(("user", "assistant"), turn, strict=True)
        )
        return [{"role": "system", "content": system}, *turns, {"role": "user", "content": asked}]


Settings = Callable[[Function, Backdrop, random.Random], dict[int, Setting]]


@dataclass(frozen=True, slots=True)
class Axis:
    """What is raised, and how far; `settings` gives one function's settings at all levels."""

    title: str
    levels: tuple[int, ...]
    settings: Settings


def item_id(base: str, level: float) -> str:
    """Name a base item at a level."""
    return f"{base}{MARK}{level:g}"


def base_of(item: str) -> str:
    """Return the base item's name."""
    return item.rpartition(MARK)[0]


def num_bases(num_items: int, levels: Sequence[int]) -> int:
    """Share so many items out over the levels.

    Raises:
        MeasurementError: there are fewer items than levels.
    """
    if num_items < len(levels):
        raise MeasurementError(
            f"{num_items} items cannot be asked at {len(levels)} levels; ask for at least "
            f"{len(levels)}"
        )
    return num_items // len(levels)
