"""What speed cannot show: one file per suite, one line here."""

from evals.suites import continuation_choice, tool_calling
from evals.suites.item import Item, Request, Suite, Tokenizer

SUITES: dict[str, Suite] = {
    suite.id: suite for suite in (continuation_choice.SUITE, tool_calling.SUITE)
}

__all__ = ["SUITES", "Item", "Request", "Suite", "Tokenizer"]
