"""Conversations of several turns whose right calls are known, from the leaderboard's wheel.

Origin: BFCL version 4, multi-turn categories (`bfcl-eval` 2026.3.23, Apache-2.0), read from its
wheel as in `evals.suites.bfcl`. Four categories of 200 items each tell the same 200 stories: `base`
as they are; `miss_param`, where a turn leaves something open that the next one gives; `miss_func`,
where a function is offered only from a later turn on; `long_context`, where results are filled up.
A turn whose published answer is empty wants no call, and none is looked at there (as published).

Example: `multi_turn_base_0` has 4 turns; its second wants `cd(folder='temp')`, then
`grep(file_name='final_report.pdf', pattern='budget analysis')`.
"""

import ast
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.suites.bfcl import WHEEL, WHEEL_SHA256
from evals.suites.calls.call import Call, Calls
from variants.errors import MeasurementError

Function = dict[str, Any]  # as the wheel documents it
PLAYED = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param")
CATEGORIES = (*PLAYED, "multi_turn_long_context")
EVALUATION = f"{WHEEL}/bfcl_eval/eval_checker/multi_turn_eval/func_source_code"
MODULES = {  # class -> stem of its source file, and of its documentation
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
STEMS = ("long_context", *MODULES.values())


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user says, the functions offered from here on, and the calls that do it."""

    words: str
    functions: tuple[Function, ...]
    gold: Calls


@dataclass(frozen=True, slots=True)
class Scene:
    """One conversation, and the state that its APIs begin in."""

    id: str
    classes: dict[str, str]  # name of each API -> stem of its source file
    config: dict[str, Any]
    is_long: bool
    turns: tuple[Turn, ...]

    @property
    def functions(self) -> tuple[Function, ...]:
        """Every function that is offered at some time."""
        return tuple(one for turn in self.turns for one in turn.functions)

    @property
    def cluster(self) -> str:
        """The family an item belongs to: the APIs that are offered."""
        return " and ".join(sorted(self.classes))


def addresses(categories: Iterable[str]) -> dict[str, str]:
    """Return the source address of every file read or run -> the pinned digest of its wheel."""
    documents = [_document(name) for name in MODULES]
    rows = [address for category in categories for address in (_rows(category), _gold(category))]
    return dict.fromkeys([*rows, *documents, *map(_source, STEMS)], WHEEL_SHA256)


def sources(files: Mapping[str, str]) -> dict[str, str]:
    """Return stem -> local path of the APIs' source files, each after those that it imports."""
    return {stem: files[_source(stem)] for stem in STEMS}


def scenes(files: Mapping[str, str], categories: Iterable[str]) -> list[Scene]:
    """Read every scene that wants a call from the local copies of `addresses(categories)`."""
    documented = {name: _lines(files[_document(name)]) for name in MODULES}
    found: list[Scene] = []
    for category in categories:
        truths = {line["id"]: line["ground_truth"] for line in _lines(files[_gold(category)])}
        rows = _lines(files[_rows(category)])
        found.extend(_scene(row, truths.get(row["id"], []), documented) for row in rows)
    return [scene for scene in found if any(turn.gold for turn in scene.turns)]


def _rows(category: str) -> str:
    return f"{WHEEL}/bfcl_eval/data/BFCL_v4_{category}.json"


def _gold(category: str) -> str:
    return f"{WHEEL}/bfcl_eval/data/possible_answer/BFCL_v4_{category}.json"


def _source(stem: str) -> str:
    return f"{EVALUATION}/{stem}.py"


def _document(name: str) -> str:
    return f"{WHEEL}/bfcl_eval/data/multi_turn_func_doc/{MODULES[name]}.json"


def _lines(path: str) -> list[dict[str, Any]]:
    text = Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _scene(
    row: dict[str, Any], truth: list[list[str]], documented: Mapping[str, list[Function]]
) -> Scene:
    if len(truth) != len(row["question"]):
        raise MeasurementError(
            f"{row['id']} has {len(row['question'])} turns and {len(truth)} published answers; "
            "fetch its files again"
        )
    known = {one["name"]: one for name in row["involved_classes"] for one in documented[name]}
    later = {int(at): names for at, names in row.get("missed_function", {}).items()}
    hidden = {
        *row.get("excluded_function", ()),
        *(one for names in later.values() for one in names),
    }
    at_first = [one for name, one in known.items() if name not in hidden]
    turns = tuple(
        Turn(
            words="\n".join(message["content"] for message in said),
            functions=tuple(at_first if at == 0 else (known[one] for one in later.get(at, ()))),
            gold=tuple(_call(text, known) for text in truth[at]),
        )
        for at, said in enumerate(row["question"])
    )
    is_long = "long_context" in row["id"]
    classes = {name: MODULES[name] for name in row["involved_classes"]}
    return Scene(row["id"], classes, row["initial_config"], is_long, turns)


def _call(text: str, known: Mapping[str, Function]) -> Call:
    """Read a published call; what has no name there is named as documented.

    Example: `sort('a.txt')` is `sort(file_name='a.txt')`.
    """
    node = ast.parse(text.strip(), mode="eval").body
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise MeasurementError(f"the published answer {text!r:.200} is no call; leave it out")
    names = list(known[node.func.id]["parameters"]["properties"])
    given = dict(zip(names, map(ast.literal_eval, node.args), strict=False))
    named = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg}
    return Call(node.func.id, given | named)
