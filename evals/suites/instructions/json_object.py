"""An answer that is a JSON object and nothing else.

A code fence around it is something else; the loose judgement, which may drop the first and the last
line, lets it pass.

Example: `{"tone": "warm"}` has exactly the key `tone`; `Sure: {"tone": "warm"}` is no object.
"""

import json
from dataclasses import dataclass
from typing import NoReturn

from evals.suites.instructions.instruction import Instruction


@dataclass(frozen=True, slots=True)
class JsonObject(Instruction):
    """A JSON object with at least one key."""

    kind = "json-object"
    phrasings = (
        "Answer with a single JSON object and nothing around it.",
        "Give the entire answer as one valid JSON object.",
        "All you return has to be one object in JSON, with keys of your choice.",
    )

    def _holds(self, text: str) -> bool:
        return bool(_keys_of(text))


@dataclass(frozen=True, slots=True)
class JsonKeys(Instruction):
    """A JSON object whose keys are exactly these, in any order."""

    kind = "json-keys"
    phrasings = (
        "Answer with nothing but a JSON object whose keys are {keys}.",
        "Return one JSON object with exactly the keys {keys}, and no other text.",
        "Fill a JSON object that has the keys {keys} only, and send just that.",
    )

    keys: tuple[str, ...]

    def _holds(self, text: str) -> bool:
        return sorted(_keys_of(text)) == sorted(self.keys)


def _keys_of(text: str) -> list[str]:
    """List the keys of the object that a text is, one given twice as often; else none."""
    if not text.startswith("{"):
        return []
    try:
        pairs = json.loads(
            text, object_pairs_hook=list, parse_constant=_refuse, parse_int=str
        )  # str: a number of any length is JSON
    except (ValueError, RecursionError):
        return []
    return [key for key, _ in pairs]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
