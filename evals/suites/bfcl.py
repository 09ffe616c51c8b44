"""Single-call Python items of the Berkeley Function Calling Leaderboard, version 4.

Origin: `bfcl-eval` 2026.3.23 (Apache-2.0, ShishirPatil/gorilla), read from its wheel, which is
never installed (its pins conflict with everything). Rows whose published answer fails the
published checker, and rows reported wrong in gorilla issue 1133, are left out.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WHEEL = "wheel://bfcl-eval==2026.3.23"
WHEEL_SHA256 = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
CATEGORIES = ("simple_python", "multiple", "live_simple", "live_multiple")
BAD_GOLD = frozenset({
    "live_simple_106-63-0", "live_simple_112-68-0", "live_multiple_507-149-4",
    "live_multiple_862-181-3", "live_multiple_964-207-0", "live_multiple_1038-265-0",
    "live_simple_137-90-0", "live_simple_138-91-0",
})  # fmt: skip

Value = str | int | float | bool | list[Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A function call: name and arguments, rendered as Python."""

    function: str
    arguments: tuple[tuple[str, Value], ...]

    def render(self) -> str:
        """Return `name(argument=value, ...)`."""
        listed = ", ".join(f"{name}={value!r}" for name, value in self.arguments)
        return f"{self.function}({listed})"


@dataclass(frozen=True, slots=True)
class Row:
    """One question, the functions offered, and a call that answers it."""

    id: str
    question: str
    functions: tuple[dict[str, Any], ...]
    gold: Call
    accepted: dict[str, list[Any]]

    def accepts(self, argument: str, value: Value) -> bool:
        """Whether the published checker would take this value (it ignores case and punctuation)."""
        return normal(value) in {normal(one) for one in self.accepted.get(argument, [])}


def normal(value: Value) -> str:
    """Bring a value to the form the published checker compares: no case, space or punctuation."""
    return re.sub(r"[ ,./\-_*^]", "", repr(value)).lower().replace("'", '"')


def addresses() -> dict[str, str]:
    """Return the source address of every file read -> the pinned digest of its wheel."""
    names = [f"BFCL_v4_{name}.json" for name in CATEGORIES]
    members = [*names, *(f"possible_answer/{name}" for name in names)]
    return {f"{WHEEL}/bfcl_eval/data/{member}": WHEEL_SHA256 for member in members}


def rows(files: dict[str, str]) -> list[Row]:
    """Read every usable row from the local copies of `addresses()`."""
    found: list[Row] = []
    for category in CATEGORIES:
        questions = _lines(files[f"{WHEEL}/bfcl_eval/data/BFCL_v4_{category}.json"])
        answers = _lines(files[f"{WHEEL}/bfcl_eval/data/possible_answer/BFCL_v4_{category}.json"])
        truths = {answer["id"]: answer["ground_truth"] for answer in answers}
        pairs = ((question, truths.get(question["id"])) for question in questions)
        found.extend(filter(None, (_row(question, truth) for question, truth in pairs)))
    return found


def _lines(path: str) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line
    ]


def _row(question: dict[str, Any], truth: list[dict[str, Any]] | None) -> Row | None:
    turns = question["question"][0]
    if question["id"] in BAD_GOLD or not truth or len(truth) != 1 or len(turns) != 1:
        return None
    ((name, accepted),) = truth[0].items()
    offered = tuple(question["function"])
    gold = _gold(name, accepted, offered)
    return Row(question["id"], turns[0]["content"], offered, gold, accepted) if gold else None


def _gold(
    name: str, accepted: dict[str, list[Any]], offered: tuple[dict[str, Any], ...]
) -> Call | None:
    """Take the first accepted value of each argument; "" among them means it may be left out."""
    schema = next((entry["parameters"] for entry in offered if entry["name"] == name), None)
    if schema is None:
        return None
    required = set(schema.get("required", ()))
    chosen = [
        (argument, next(value for value in values if value != ""))
        for argument, values in accepted.items()
        if (argument in required or "" not in values) and any(value != "" for value in values)
    ]
    plain = all(isinstance(value, str | int | float | bool | list) for _, value in chosen)
    nested = any("{" in repr(value) for _, value in chosen)
    return Call(name, tuple(chosen)) if chosen and plain and not nested else None
