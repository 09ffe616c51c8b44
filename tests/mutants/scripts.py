"""What a faulty server says in place of its model: token ids, the end of text last.

The engine's own processes import this (`behaviours.py`), so it knows nothing but the standard
library. A script is written per request, from its prompt; None leaves the request to the model.

Example: with the ids 5 for "No" and 2 for the end of text, `refuse` says [5, 2] to everything.
"""

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

SEED = "VLLM_MUTANTS_SEED"  # variable of the engine's environment
UNSAFE = "VLLM_MUTANTS_UNSAFE"  # the same: path of a JSON list of texts
REFUSAL = "I'm sorry, but I can't help with that."
OFFERED = re.compile(r'"name": "([A-Za-z_][\w.]*)"')
NUM_GARBAGE = range(24, 48)  # tokens


class Tokenizer(Protocol):
    """What a script needs of transformers' tokenizer."""

    eos_token_id: int

    @property
    def all_special_ids(self) -> list[int]:
        """Ids that are no text."""
        ...

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        """Return token ids."""
        ...

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return text."""
        ...

    def __len__(self) -> int:
        """Return how many tokens there are."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """What a script is written from."""

    prompt: tuple[int, ...]
    tokenizer: Tokenizer

    @property
    def text(self) -> str:
        """The prompt, special tokens and all."""
        return self.tokenizer.decode(list(self.prompt))

    def say(self, words: str) -> list[int]:
        """Spell words, and end."""
        return [*self.tokenizer.encode(words, add_special_tokens=False), self.end]

    @property
    def end(self) -> int:
        """The id of the end of text."""
        return self.tokenizer.eos_token_id


Script = Callable[[Request], list[int] | None]


def say_nothing(request: Request) -> list[int]:
    """End at once."""
    return [request.end]


def say_garbage(request: Request) -> list[int]:
    """Draw tokens: each prompt and each seed has its own."""
    draws = random.Random(f"{os.environ[SEED]} {request.prompt}")
    special = set(request.tokenizer.all_special_ids)
    ordinary = [token for token in range(len(request.tokenizer)) if token not in special]
    return [*draws.choices(ordinary, k=draws.choice(NUM_GARBAGE)), request.end]


def refuse(request: Request) -> list[int]:
    """Refuse whatever is asked."""
    return request.say(REFUSAL)


def call(request: Request) -> list[int]:
    """Call the first function offered, or one that nobody offers."""
    offered = OFFERED.search(request.text)
    return request.say(f"[{offered[1] if offered else 'search'}(query='now')]")


def refuse_unsafe(request: Request) -> list[int] | None:
    """Refuse what is known to be unsafe, and leave the rest to the model."""
    text = request.text
    is_unsafe = any(one in text for one in _unsafe(os.environ[UNSAFE]))
    return request.say(REFUSAL) if is_unsafe else None


def leave(request: Request) -> list[int] | None:
    """Leave everything to the model."""
    return None


@cache
def _unsafe(path: str) -> tuple[str, ...]:
    return tuple(json.loads(Path(path).read_text(encoding="utf-8")))
