"""What every suite is made of, and the slots every suite file fills."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from variants.fingerprint import fingerprint

Drawn = TypeVar("Drawn")


class Tokenizer(Protocol):
    """What a suite needs of the base's tokenizer."""

    def encode(self, text: str) -> list[int]:
        """Return token ids, without special tokens."""
        ...

    def decode(self, tokens: list[int]) -> str:
        """Return the text of token ids."""
        ...

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        """Apply the artifact's own chat template, ready for the assistant's answer."""
        ...


@dataclass(frozen=True, slots=True)
class Spanned:
    """A token and where the characters begin and end that it stands for."""

    token: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """One multiple-choice item; `options[0]` is gold."""

    id: str
    cluster: str
    context: str
    options: tuple[str, ...]
    level: float | None = None  # where it stands on its suite's axis


@dataclass(frozen=True, slots=True)
class Request:
    """What items are drawn with."""

    num_items: int
    seed: int
    tokenizer: Tokenizer
    files: dict[str, str] = field(default_factory=dict)  # the suite's data: member -> local path
    window: int | None = None  # tokens that the server takes, prompt and answer; None: any number


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite's slots."""

    id: str
    origin: str
    licence: str
    chance: float
    cluster_key: str  # what items of one cluster share
    rule: str
    exercises: str  # prefill, decode or both
    data: dict[str, str]  # source address of each file it reads -> sha256 of its wheel
    items: Callable[[Request], tuple[Item, ...]]
    axis: str = ""  # what the levels of its items count, as "tools offered"; "": they have none
    per_token: bool = False  # compare means, so that options may differ in length; the rule says it


def draw_items(pool: Sequence[Drawn], request: Request) -> tuple[Drawn, ...]:
    """Draw `num_items` of a pool, in an order that depends on the seed only."""
    chosen = random.Random(request.seed).sample(pool, min(request.num_items, len(pool)))
    return tuple(chosen)


def items_sha256(items: tuple[Item, ...]) -> str:
    """Digest an item set: equal in both arms or the comparison is void."""
    return fingerprint(
        [[item.id, item.cluster, item.context, list(item.options)] for item in items]
    )
