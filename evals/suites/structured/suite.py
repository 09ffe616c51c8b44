"""The suites of structured output: JSON asked for in words, and JSON that the engine enforces.

An engine that enforces a schema hides what compression did to the model, and one that only claims
to enforce it hides that it does not; so both are asked (evaluation.md section 5). Free: right if
the answer validates. Constrained: right if it means the same as the gold instance.

Origin: own schemas (`schemas.yaml`), and the functions of BFCL whose answer takes one value of each
argument (`from_tools.py`).
"""

import json
import random
from collections.abc import Callable
from functools import partial

from evals.suites.bfcl import addresses, rows
from evals.suites.item import Request
from evals.suites.structured.compliance import Judgement, judge
from evals.suites.structured.from_tools import has_one_gold, tool_item
from evals.suites.structured.schemas import SchemaItem, read_schemas
from evals.suites.written import Answer, Mark, Question, WrittenSuite

MAX_TOKENS = 192  # the longest gold instance of ours has 70 tokens; the rest is for white space
MAX_SCHEMA_CHARACTERS = 1500  # about 500 tokens: it stands in the prompt
ASKED = "Answer with one JSON value and nothing else. It must be valid under this JSON Schema:"
IsRight = Callable[[Judgement], bool]


def free_items(request: Request) -> tuple[Question, ...]:
    """Ask in words alone."""
    return tuple(
        _question(item, "", partial(_mark, item, True, lambda found: found.is_valid))
        for item in _draw(request)
    )


def constrained_items(request: Request) -> tuple[Question, ...]:
    """Ask the same, and have the engine enforce the schema."""
    return tuple(
        _question(
            item,
            json.dumps(item.json_schema),
            partial(_mark, item, False, lambda found: found.is_equal),
        )
        for item in _draw(request)
    )


def _draw(request: Request) -> list[SchemaItem]:
    """Take all schemas of our own, and as many of the functions as are still wanted."""
    generator = random.Random(request.seed)
    fair = (row for row in rows(request.files) if has_one_gold(row))
    tools = [item for item in (tool_item(row, generator) for row in fair) if item is not None]
    short = [one for one in tools if len(json.dumps(one.json_schema)) <= MAX_SCHEMA_CHARACTERS]
    own = read_schemas()
    num_tools = min(len(short), max(0, request.num_items - len(own)))
    drawn = [*own, *generator.sample(short, num_tools)]
    return generator.sample(drawn, min(request.num_items, len(drawn)))


def _question(item: SchemaItem, schema: str, mark: Callable[[Answer], Mark]) -> Question:
    words = f"{item.request}\n\n{ASKED}\n{json.dumps(item.json_schema)}"
    return Question(item.id, item.family, words, MAX_TOKENS, mark, schema)


def _mark(item: SchemaItem, takes_fence: bool, is_right: IsRight, answer: Answer) -> Mark:
    found = judge(answer, item.json_schema, item.gold, takes_fence=takes_fence)
    if is_right(found):
        return Mark(True, False)
    return Mark(False, not answer.text.strip(), found.error or "")


FREE = WrittenSuite(
    id="json-free",
    origin="own schemas, and BFCL v4 inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="schema family or function",
    rule="greedy, in words alone; right if the answer, or the fence it is in, validates",
    items=free_items,
    data=addresses(),
)
CONSTRAINED = WrittenSuite(
    id="json-constrained",
    origin="own schemas, and BFCL v4 inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="schema family or function",
    rule="greedy, the schema enforced by the engine; right if it means the same as the gold answer",
    items=constrained_items,
    data=addresses(),
)
