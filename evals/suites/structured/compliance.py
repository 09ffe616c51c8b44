"""One answer to a request for JSON, judged from the whole text down to its meaning.

An engine that enforces a schema makes every answer valid, and says nothing of what compression did:
so validity is told apart from equality with the gold instance, and both from whether the text is
JSON at all. An answer that ran into the length limit is a failure, also where it happens to parse:
engines have closed the object and gone on with white space (vLLM issue 30730).

Example: asked for `{"age": 30}` under `{"properties": {"age": {"type": "integer"}}}`:
`{"age": 30.0}` is right, `{"age": 31}` is a `wrong_value`, `{"age": "30"}` is `invalid`,
`It is {"age": 30}` is `text_around_json`, `thirty` is `no_json`.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from evals.suites.structured.dialect import Schema
from evals.suites.structured.equality import is_same
from evals.suites.structured.strict_json import Document, holds_document, read_document
from evals.suites.structured.validation import is_valid
from evals.suites.written import Answer

Failure = Literal["cut_off", "no_json", "text_around_json", "invalid", "wrong_value"]
FENCE = "```"
OPENING = re.compile(r"```[A-Za-z0-9]*[ \t\r]*")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is true of an answer; one that is equal is also valid."""

    is_json: bool  # the whole text, by the strict rule
    is_fenced: bool  # no JSON as it stands, but a markdown fence holds nothing else
    is_valid: bool
    is_equal: bool
    error: Failure | None


CUT_OFF = Judgement(False, False, False, False, "cut_off")


def judge(
    answer: Answer, schema: Schema, gold: JsonValue, *, takes_fence: bool = False
) -> Judgement:
    """Judge an answer; `takes_fence`, for unconstrained answers, judges what a fence holds.

    A constrained answer in a fence was not constrained, so there a fence stays a failure.
    """
    if answer.is_cut:
        return CUT_OFF
    bare = read_document(answer.text)
    fenced = _in_fence(answer.text) if bare is None else None
    document = bare if bare is not None or not takes_fence else fenced
    if document is None:
        is_near = fenced is not None or holds_document(answer.text)
        failure: Failure = "text_around_json" if is_near else "no_json"
        return Judgement(False, fenced is not None, False, False, failure)
    valid = is_valid(schema, document.value)
    equal = valid and is_same(document.value, gold)
    error: Failure | None = None if equal else "wrong_value" if valid else "invalid"
    return Judgement(bare is not None, fenced is not None, valid, equal, error)


def _in_fence(text: str) -> Document | None:
    """Read the JSON of a text that is one markdown fence and nothing else."""
    first, _, rest = text.strip().partition("\n")
    body, closing, after = rest.rpartition(FENCE)
    if not OPENING.fullmatch(first) or not closing or after:
        return None
    return read_document(body)
