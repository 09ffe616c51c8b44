"""Items of the Berkeley Function Calling Leaderboard whose answer is a written call, or none.

Origin: `bfcl-eval` 2026.3.23 (Apache-2.0), read from its wheel as in `evals.suites.bfcl`. Eight
categories want calls (2,343 items), two want none (1,124). Eight items are left out because their
published answer cannot be right. Those that gorilla issue 1133 reports, such as parallel_84 and
live_simple_137-90-0, have been corrected in this version, and stay.

Example: `parallel_84` offers `calculate_displacement` and wants three calls of it, in any order.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.suites.bfcl import WHEEL, WHEEL_SHA256
from variants.errors import MeasurementError

CALLING = (
    "simple_python", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
)  # fmt: skip
ABSTAINING = ("irrelevance", "live_irrelevance")
WRONG_ANSWER = {
    "parallel_multiple_12": "accepts an argument that its function does not have",
    "parallel_multiple_26": "accepts an argument that its function does not have",
    "live_simple_106-63-0": "accepts no value at all for required arguments",
    "live_simple_112-68-0": "accepts no value at all for required arguments",
    "live_multiple_507-149-4": "accepts only an empty airport of origin",
    "live_multiple_862-181-3": "wants an argument that its function does not have",
    "live_multiple_964-207-0": "wants an argument that its function does not have",
    "live_multiple_1038-265-0": "wants a start date of null, which the question does not give",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call that is wanted: by argument the accepted values, "" where it may be left out."""

    function: str
    accepted: dict[str, list[Any]]
    parameters: dict[str, Any]  # as the function's documentation describes them


@dataclass(frozen=True, slots=True)
class Row:
    """What is asked, the functions offered, and the calls wanted, in any order."""

    id: str
    category: str
    messages: tuple[dict[str, str], ...]
    functions: tuple[dict[str, Any], ...]
    wanted: tuple[Wanted, ...]  # none: no function fits

    @property
    def offered(self) -> frozenset[str]:
        """Names of the functions offered."""
        return frozenset(function["name"] for function in self.functions)

    @property
    def cluster(self) -> str:
        """The family an item belongs to: the function wanted first, or offered first."""
        if self.wanted:
            return self.wanted[0].function
        return str(self.functions[0]["name"]) if self.functions else "none offered"


def addresses(categories: Iterable[str]) -> dict[str, str]:
    """Return the source address of every file read -> the pinned digest of its wheel."""
    return {
        address: WHEEL_SHA256
        for category in categories
        for address in (_questions(category), *_answers(category))
    }


def rows(files: dict[str, str], categories: Iterable[str]) -> list[Row]:
    """Read every usable row from the local copies of `addresses(categories)`."""
    return [row for category in categories for row in _read(files, category)]


def _questions(category: str) -> str:
    return f"{WHEEL}/bfcl_eval/data/BFCL_v4_{category}.json"


def _answers(category: str) -> tuple[str, ...]:
    member = f"possible_answer/BFCL_v4_{category}.json"
    return (f"{WHEEL}/bfcl_eval/data/{member}",) if category in CALLING else ()


def _read(files: dict[str, str], category: str) -> list[Row]:
    answers = [line for address in _answers(category) for line in _lines(files[address])]
    truths = {line["id"]: line["ground_truth"] for line in answers}
    questions = _lines(files[_questions(category)])
    return [_row(line, category, truths) for line in questions if line["id"] not in WRONG_ANSWER]


def _lines(path: str) -> list[dict[str, Any]]:
    text = Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _row(line: dict[str, Any], category: str, truths: dict[str, list[dict[str, Any]]]) -> Row:
    if category in CALLING and not truths.get(line["id"]):
        raise MeasurementError(f"{line['id']} has no published answer; fetch its file again")
    functions = tuple(line["function"])
    return Row(
        id=line["id"],
        category=category,
        messages=tuple(line["question"][0]),
        functions=functions,
        wanted=tuple(_wanted(truth, functions, line["id"]) for truth in truths.get(line["id"], ())),
    )


def _wanted(truth: dict[str, Any], functions: tuple[dict[str, Any], ...], item: str) -> Wanted:
    ((name, accepted),) = truth.items()
    for function in functions:
        if function["name"] == name:
            return Wanted(name, accepted, function["parameters"])
    raise MeasurementError(f"{item} wants {name}, which it does not offer; leave it out")
