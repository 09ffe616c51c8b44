"""Structured output: JSON of a schema, judged outside of the engine that constrains it."""

from evals.suites.structured.compliance import Judgement, judge
from evals.suites.structured.coverage import Constrained, Coverage, constrained_coverage
from evals.suites.structured.from_tools import has_one_gold, schema_of, tool_item
from evals.suites.structured.mutations import Mutation, mutations
from evals.suites.structured.schemas import Broken, SchemaItem, read_schemas

__all__ = [
    "Broken",
    "Constrained",
    "Coverage",
    "Judgement",
    "Mutation",
    "SchemaItem",
    "constrained_coverage",
    "has_one_gold",
    "judge",
    "mutations",
    "read_schemas",
    "schema_of",
    "tool_item",
]
