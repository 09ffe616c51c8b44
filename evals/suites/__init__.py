"""What speed cannot show: one file per suite, one line here."""

from evals.suites import continuation_choice, tool_calling
from evals.suites.calls.suite import API_CALLS, IRRELEVANCE, WRITTEN_CALLS
from evals.suites.calls.turns import MULTI_TURN_CALLS
from evals.suites.cliffs import choosing, load, writing
from evals.suites.instructions.suite import SUITE as INSTRUCTIONS
from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context import key_value, needle, variable_tracking
from evals.suites.mmlu.suite import SUITE as MMLU
from evals.suites.safety.odds import ANSWER_ODDS, REFUSAL_ODDS
from evals.suites.safety.suite import CANARIES, OVER_REFUSAL, SAFETY
from evals.suites.short_answers.suite import SUITE as SHORT_ANSWERS
from evals.suites.structured.suite import CONSTRAINED, FREE
from evals.suites.written import WrittenSuite

# Answered by choosing: the likeliest of a few options. What the weights know.
CHOICES: dict[str, Suite] = {
    suite.id: suite
    for suite in (
        continuation_choice.SUITE,
        MMLU,
        tool_calling.SUITE,
        REFUSAL_ODDS,
        ANSWER_ODDS,
        needle.SUITE,
        key_value.SUITE,
        variable_tracking.SUITE,
        choosing.TOOLS,
        choosing.TURNS,
        choosing.CONTEXT,
    )
}
# Answered in writing, through the engine only: what a user gets. Short answers first.
WRITTEN: dict[str, WrittenSuite] = {
    suite.id: suite
    for suite in (
        SHORT_ANSWERS,
        CANARIES,
        SAFETY,
        OVER_REFUSAL,
        WRITTEN_CALLS,
        API_CALLS,
        IRRELEVANCE,
        MULTI_TURN_CALLS,
        FREE,
        CONSTRAINED,
        INSTRUCTIONS,
        writing.TOOLS,
        writing.TURNS,
        writing.CONTEXT,
        load.JSON,
        load.CALLS,
    )
}
SUITES: dict[str, Suite | WrittenSuite] = {**CHOICES, **WRITTEN}

__all__ = ["CHOICES", "SUITES", "WRITTEN", "Item", "Request", "Suite", "Tokenizer", "WrittenSuite"]
