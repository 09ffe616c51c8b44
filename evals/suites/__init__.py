"""What speed cannot show: one file per suite, one line here."""

from evals.suites import continuation_choice, tool_calling
from evals.suites.calls.suite import API_CALLS, IRRELEVANCE, WRITTEN_CALLS
from evals.suites.instructions.suite import SUITE as INSTRUCTIONS
from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context import key_value, needle, variable_tracking
from evals.suites.safety.suite import OVER_REFUSAL, SAFETY
from evals.suites.structured.suite import CONSTRAINED, FREE
from evals.suites.written import WrittenSuite

# Answered by choosing: the likeliest of a few options. What the weights know.
CHOICES: dict[str, Suite] = {
    suite.id: suite
    for suite in (
        continuation_choice.SUITE,
        tool_calling.SUITE,
        needle.SUITE,
        key_value.SUITE,
        variable_tracking.SUITE,
    )
}
# Answered in writing, through the engine only: what a user gets. Short answers first.
WRITTEN: dict[str, WrittenSuite] = {
    suite.id: suite
    for suite in (
        FREE,
        CONSTRAINED,
        WRITTEN_CALLS,
        API_CALLS,
        IRRELEVANCE,
        SAFETY,
        OVER_REFUSAL,
        INSTRUCTIONS,
    )
}
SUITES: dict[str, Suite | WrittenSuite] = {**CHOICES, **WRITTEN}

__all__ = ["CHOICES", "SUITES", "WRITTEN", "Item", "Request", "Suite", "Tokenizer", "WrittenSuite"]
