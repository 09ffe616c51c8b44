"""Cliffs of written calls: the call itself, as text, level by level.

Origin: BFCL version 4 (Apache-2.0), the questions that want one call, judged by our own checker
(`evals.suites.calls.checking`). The tools stand before all else, as they do in a real system.

Example: offered `area(base: integer, height: integer) - area of a triangle` and 31 others, asked
for base 10 and height 5: `[area(base=10, height=5)]` is right, another of the 32 is a
wrong_function.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from evals.suites import bfcl
from evals.suites.calls.checking import check
from evals.suites.calls.parsing import parse_text
from evals.suites.calls.rows import Row, rows
from evals.suites.calls.suite import MAX_TOKENS
from evals.suites.cliffs.axes import BY_TOKENS, BY_TOOLS, BY_TURNS
from evals.suites.cliffs.axis import Axis, Backdrop, Setting, item_id, num_bases
from evals.suites.cliffs.choosing import asked
from evals.suites.cliffs.offered import is_brief, is_short, pool_of
from evals.suites.item import Request
from evals.suites.language import is_degenerate
from evals.suites.long_context.haystack import haystack_of
from evals.suites.tool_calling import signature
from evals.suites.written import Answer, Mark, Question, WrittenSuite

OFFER = (
    "These functions can be called:\n{}\n\nWhen one of them does what the user asks for, answer "
    "with the call alone, as a list in Python syntax with named arguments, such as "
    "[area(base=10, height=5)]."
)


def questions(axis: Axis, request: Request) -> tuple[Question, ...]:
    """Draw base items, and ask each at every level; a base item's levels come in a row."""
    pool = pool_of(bfcl.rows(request.files))
    built = _bases(axis, Backdrop(pool, haystack_of(request.tokenizer)), request)
    num = num_bases(request.num_items, axis.levels)
    return tuple(chain.from_iterable(islice(built, num)))


def _bases(axis: Axis, backdrop: Backdrop, request: Request) -> Iterator[list[Question]]:
    found = rows(request.files, bfcl.CATEGORIES)
    for row in random.Random(request.seed).sample(found, len(found)):
        if _is_fit(row):
            called = next(one for one in row.functions if one["name"] == row.wanted[0].function)
            generator = random.Random(f"{request.seed} {row.id}")
            settings = axis.settings(called, backdrop, generator)
            yield [_question(row, level, setting) for level, setting in settings.items()]


def _is_fit(row: Row) -> bool:
    """Whether a row wants one call, in one message, and both are short."""
    if len(row.wanted) != 1 or len(row.messages) != 1:
        return False
    wanted = row.wanted[0].function
    called = [one for one in row.functions if one["name"] == wanted]
    return is_brief(row.messages[0]["content"]) and is_short(called[0])


def _question(row: Row, level: int, setting: Setting) -> Question:
    offer = OFFER.format("\n".join(map(signature, setting.tools)))
    *before, last = setting.messages(offer, asked(setting, row.messages[0]["content"]))
    return Question(
        item_id(row.id, level),
        row.cluster,
        last["content"],
        MAX_TOKENS,
        partial(_mark, replace(row, functions=setting.tools)),
        before=tuple((message["role"], message["content"]) for message in before),
        level=float(level),
    )


def _mark(row: Row, answer: Answer) -> Mark:
    failure = check(row, parse_text(answer.text))
    if failure is None:
        return Mark(True, False)
    return Mark(False, is_degenerate(answer.text), failure.kind)


def _suite(name: str, axis: Axis) -> WrittenSuite:
    return WrittenSuite(
        id=name,
        origin="BFCL v4, single-call Python categories, inside bfcl-eval 2026.3.23, among other "
        "tools, turns of our own and the standard library's prose",
        licence="Apache-2.0 and PSF-2.0",
        chance=0.0,
        cluster_key="function",
        rule="greedy; right if the call is the one wanted, by our strict checker",
        items=partial(questions, axis),
        data=bfcl.addresses(),
        axis=axis.title,
    )


TOOLS = _suite("cliff-tools-written", BY_TOOLS)
TURNS = _suite("cliff-turns-written", BY_TURNS)
CONTEXT = _suite("cliff-context-written", BY_TOKENS)
