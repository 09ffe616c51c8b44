"""Rows of the leaderboard's shape: forty that ask for an area, and forty tools beside it."""

import json
from pathlib import Path

from evals.suites.bfcl import CATEGORIES, WHEEL
from tests.evals.suites.toy import AREA, INTEGER, Line, function

NUM_ROWS = 40
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def area_row(base: int) -> Line:
    """Ask for the area of one base."""
    question = f"The area of base {base} and height 5?"
    truth: list[dict[str, object]] = [{"area": {"base": [base], "height": [5], "unit": ["", "cm"]}}]
    return f"row_{base}", question, [AREA], truth


def other_row(number: int) -> Line:
    """Ask for something else, with a function whose name shares no word with any other."""
    name = f"{LETTERS[number // 26]}{LETTERS[number % 26]}meter"
    tool = function(name, ["size"], size=INTEGER, weight=INTEGER)
    return f"other_{number}", f"Measure {number}.", [tool], [{name: {"size": [number]}}]


def write_rows(folder: Path) -> dict[str, str]:
    """Write the areas as `simple_python` and the others as `multiple`."""
    lines = {
        "simple_python": [area_row(base) for base in range(10, 10 + NUM_ROWS)],
        "multiple": [other_row(number) for number in range(NUM_ROWS)],
    }
    files = {}
    for category in CATEGORIES:
        chosen = lines.get(category, [])
        questions = [
            {"id": row, "question": [[{"role": "user", "content": text}]], "function": functions}
            for row, text, functions, _ in chosen
        ]
        answers = [{"id": row, "ground_truth": truth} for row, _, _, truth in chosen]
        members = {
            f"BFCL_v4_{category}.json": questions,
            f"possible_answer/BFCL_v4_{category}.json": answers,
        }
        for member, rows in members.items():
            path = folder / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            files[f"{WHEEL}/bfcl_eval/data/{member}"] = str(path)
    return files
