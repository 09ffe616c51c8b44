"""Cliffs of load: the same questions, asked by one caller, by two, up to 32 at once.

A batch changes which kernels run and where an engine preempts, and a masked decoder shares its
processor with all others: answers that are right alone can be wrong in company, or cut. Each number
in flight is asked all base questions before the next begins; at the end of each the last few have
less company than that. Origin of the questions: `json-constrained` and `written-calls`.

A number is left out where there are fewer base questions, for then it would never be in flight.

Example: 400 questions are 66 at each of 1, 2, 4, 8, 16 and 32 in flight; 100 are 20 at each of 1 to
16.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from evals.suites.calls.suite import WRITTEN_CALLS
from evals.suites.cliffs.axis import item_id, num_bases
from evals.suites.item import Request
from evals.suites.structured.suite import CONSTRAINED
from evals.suites.written import Question, WrittenSuite

IN_FLIGHT = (1, 2, 4, 8, 16, 32)
Draw = Callable[[Request], tuple[Question, ...]]


def questions(draw: Draw, request: Request) -> tuple[Question, ...]:
    """Draw base questions, and ask all of them at every number in flight, lowest first."""
    levels = levels_for(request.num_items)
    bases = draw(replace(request, num_items=num_bases(request.num_items, levels)))
    return tuple(
        replace(base, id=item_id(base.id, level), level=float(level), in_flight=level)
        for level in levels
        for base in bases
    )


def levels_for(num_items: int) -> tuple[int, ...]:
    """Return the numbers in flight that so many items can reach, each with as many questions."""
    reached = [
        IN_FLIGHT[:num]
        for num in range(1, len(IN_FLIGHT) + 1)
        if num_items // num >= IN_FLIGHT[num - 1]
    ]
    return max(reached, key=len, default=IN_FLIGHT[:1])


def _suite(name: str, of: WrittenSuite) -> WrittenSuite:
    return replace(of, id=name, items=partial(questions, of.items), axis="requests in flight")


JSON = _suite("json-at-load", CONSTRAINED)
CALLS = _suite("calls-at-load", WRITTEN_CALLS)
