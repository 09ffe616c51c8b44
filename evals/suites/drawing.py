"""Draw the items of a suite once per process: its blocks, and its arms, ask the same ones."""

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from evals.suites.assignment import Assignment
from evals.suites.item import Item, Request, Suite
from evals.suites.naming import suite_of
from evals.suites.tokenizer import tokenizer_of

Draw = Callable[[Request], tuple[Item, ...]]
KEPT = 4  # item sets of a process; the largest holds a few megabytes


def choice_suite_of(assignment: Assignment) -> Suite:
    """Return the suite of choices that an assignment names."""
    suite = suite_of(assignment.suite)
    assert isinstance(suite, Suite), "a suite in writing is asked, not scored"
    return suite


def drawn_items(assignment: Assignment, folder: Path) -> tuple[Item, ...]:
    """Return all items that are drawn for an assignment, as an artifact's tokenizer has them."""
    suite = choice_suite_of(assignment)
    fields = ("seed", "num_items", "files", "window")
    asked = {name: getattr(assignment, name) for name in fields}
    return _drawn(suite.items, json.dumps(asked, sort_keys=True), folder)


@lru_cache(KEPT)
def _drawn(items: Draw, asked: str, folder: Path) -> tuple[Item, ...]:
    return items(Request(tokenizer=tokenizer_of(folder), **json.loads(asked)))
