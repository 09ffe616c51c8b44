"""What an answer that is read in a named way is worth.

Errors: `empty` (no letter and no digit), `cut` (not right, and at the length limit), `wrong`.

Example: "It is 41." for 42 is `wrong`; "To find out, we first" with the length limit met is `cut`.
"""

from decimal import Decimal

from evals.suites.language import is_degenerate
from evals.suites.short_answers.reading import READINGS, Reading, last_number
from evals.suites.written import Answer, Mark


def is_equal(answer: Answer, accepted: str, reading: Reading) -> bool:
    """Whether an answer is the accepted one, both read in the same way."""
    if reading == "number":
        return last_number(answer.text, answer.is_cut) == Decimal(accepted)
    return READINGS[reading](answer.text) == READINGS[reading](accepted)


def mark(is_right: bool, answer: Answer) -> Mark:
    """Give the class of what is wrong, where something is."""
    if is_right:
        return Mark(True, False)
    is_empty = not any(map(str.isalnum, answer.text))
    error = "empty" if is_empty else "cut" if answer.is_cut else "wrong"
    return Mark(False, is_degenerate(answer.text), error)
