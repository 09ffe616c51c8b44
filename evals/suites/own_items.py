"""A user's own file of items as a suite, bound to the digest of its bytes.

The digest is part of the suite's id: arms that were asked by different files are of different
suites, and never compared.

Example: `support.jsonl` with digest `3f9a...` gives suite `own-support-3f9a0c1d2e4b`; items of two
and of four options in equal parts have a chance of (1/2 + 1/4) / 2 = 3/8.
"""

import re
from functools import partial
from pathlib import Path

from evals.suites.item import Item, Request, Suite, draw_items
from evals.suites.own_rows import ChoiceRow, OwnFile, WrittenRow, read_file
from evals.suites.short_answers.marking import is_equal, mark
from evals.suites.structured.strict_json import read_document
from evals.suites.written import Answer, Mark, Question, WrittenSuite
from variants.errors import StudyError

DIGITS = 12
LICENCE = "the user's"


def own_suite(path: Path) -> Suite | WrittenSuite:
    """Read a file as the kind of suite that its first item belongs to.

    Raises:
        StudyError: the file or one of its lines is not as it should be; says which line.
    """
    file = read_file(path)
    first = read_document(file.lines[0])
    names = set(first.value) if first is not None and isinstance(first.value, dict) else set()
    if names.isdisjoint({"options", "answers"}):
        raise StudyError(
            f"{path} line 1 is no item; write an object with id, prompt and options (the right one "
            "first) or answers"
        )
    return _choice_suite(file) if "options" in names else _written_suite(file)


def choice_suite(path: Path) -> Suite:
    """Read a file of items to choose.

    Raises:
        StudyError: the file or one of its lines is not as it should be; says which line.
    """
    return _choice_suite(read_file(path))


def written_suite(path: Path) -> WrittenSuite:
    """Read a file of items to answer.

    Raises:
        StudyError: the file or one of its lines is not as it should be; says which line.
    """
    return _written_suite(read_file(path))


def _choice_suite(file: OwnFile) -> Suite:
    rows = file.rows(ChoiceRow)
    return Suite(
        id=_id(file),
        origin=f"{file.path.name}, sha256 {file.sha256}",
        licence=LICENCE,
        chance=sum(1 / len(row.options) for row in rows) / len(rows),
        cluster_key="cluster, as the file gives it",
        rule="highest log-likelihood per token among the options; a tie is wrong",
        exercises="prefill",
        data={},
        per_token=True,
        items=partial(_items, rows),
    )


def _written_suite(file: OwnFile) -> WrittenSuite:
    rows = file.rows(WrittenRow)
    return WrittenSuite(
        id=_id(file),
        origin=f"{file.path.name}, sha256 {file.sha256}",
        licence=LICENCE,
        chance=0.0,
        cluster_key="cluster, as the file gives it",
        rule="greedy; right if equal to one of the answers, read as the item says",
        items=partial(_questions, rows),
    )


def _id(file: OwnFile) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", file.path.stem.lower()).strip("-") or "items"
    return f"own-{stem}-{file.sha256[:DIGITS]}"


def _items(rows: tuple[ChoiceRow, ...], request: Request) -> tuple[Item, ...]:
    return tuple(_item(row, request) for row in draw_items(rows, request))


def _item(row: ChoiceRow, request: Request) -> Item:
    context = request.tokenizer.render_chat([{"role": "user", "content": row.prompt}])
    return Item(row.id, row.group, context, tuple(row.options))


def _questions(rows: tuple[WrittenRow, ...], request: Request) -> tuple[Question, ...]:
    return tuple(
        Question(row.id, row.group, row.prompt, row.max_tokens, partial(_mark, row))
        for row in draw_items(rows, request)
    )


def _mark(row: WrittenRow, answer: Answer) -> Mark:
    return mark(any(is_equal(answer, one, row.reading) for one in row.answers), answer)
