"""The suites of written calls: items that want calls, and items that no function fits.

Origin: BFCL version 4 (Apache-2.0; `rows.py`), judged by our own checker (`checking.py`). Both are
asked in one form, so that a model that always calls, or never, fails one of them.

Example: offered `area(base, height)` and asked for the area of base 10 and height 5:
`[area(base=10, height=5)]` is right, `area is 25` a parse_error, `[area(base=10)]` a
missing_argument.
"""

import json
import random
from collections.abc import Callable, Sequence
from functools import partial

from evals.suites.calls.checking import check
from evals.suites.calls.irrelevance import judge_text
from evals.suites.calls.parsing import parse_text
from evals.suites.calls.rows import ABSTAINING, CALLING, Row, addresses, rows
from evals.suites.item import Request
from evals.suites.language import is_degenerate
from evals.suites.written import Answer, Mark, Question, WrittenSuite

MAX_TOKENS = 160  # the longest right answer has 715 characters; nine in ten have 300 or less
MAX_PROMPT_CHARACTERS = 4000  # about 1,200 tokens; the longest would not fit a context of 2,048
ASKED = (
    "Answer with the calls alone, as a list in Python syntax with named arguments, such as "
    "[area(base=10, height=5)]. If no function fits, say so in one sentence and call nothing."
)


def calling_items(request: Request) -> tuple[Question, ...]:
    """Draw items that want calls."""
    return _questions(request, CALLING, _mark_calls)


def abstaining_items(request: Request) -> tuple[Question, ...]:
    """Draw items that want none."""
    return _questions(request, ABSTAINING, _mark_silence)


def _questions(
    request: Request, categories: Sequence[str], mark: Callable[[Row, Answer], Mark]
) -> tuple[Question, ...]:
    found = [(row, _words(row)) for row in rows(request.files, categories)]
    short = [pair for pair in found if len(pair[1]) <= MAX_PROMPT_CHARACTERS]
    drawn = random.Random(request.seed).sample(short, min(request.num_items, len(short)))
    return tuple(
        Question(row.id, row.cluster, words, MAX_TOKENS, partial(mark, row)) for row, words in drawn
    )


def _words(row: Row) -> str:
    offered = "\n".join(json.dumps(function) for function in row.functions)
    said = "\n".join(message["content"] for message in row.messages)
    return f"These functions can be called:\n{offered}\n\n{ASKED}\n\n{said}"


def _mark_calls(row: Row, answer: Answer) -> Mark:
    failure = check(row, parse_text(answer.text))
    if failure is None:
        return Mark(True, False)
    return Mark(False, is_degenerate(answer.text), failure.kind)


def _mark_silence(row: Row, answer: Answer) -> Mark:
    outcome = judge_text(answer.text, row.offered)
    if outcome == "abstained":
        return Mark(True, False)
    return Mark(False, outcome != "called", outcome)


WRITTEN_CALLS = WrittenSuite(
    id="written-calls",
    origin="BFCL v4, single-turn Python categories, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="function",
    rule="greedy; right if the calls are those wanted, in any order, by our strict checker",
    items=calling_items,
    data=addresses(CALLING),
)
IRRELEVANCE = WrittenSuite(
    id="irrelevance",
    origin="BFCL v4, irrelevance and live_irrelevance, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="function",
    rule="greedy; right if the answer is language and calls nothing",
    items=abstaining_items,
    rewards_silence=True,
    data=addresses(ABSTAINING),
)
