"""Does a variant still find what stands far back? Three tasks."""

from evals.suites.long_context import key_value, needle, variable_tracking
from evals.suites.long_context.question import Question, is_right
from evals.suites.long_context.spots import LENGTHS, Spot

__all__ = ["LENGTHS", "Question", "Spot", "is_right", "key_value", "needle", "variable_tracking"]
