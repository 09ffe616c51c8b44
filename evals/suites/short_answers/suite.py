"""The suite of short answers: 91 templates of 20 questions, whose answers a program knows.

Origin: own templates; gold answers are calculated, none is written by hand or by a model. Every
template is drawn from a seed of its own, so another template changes no other's questions.

Example: template `story-buys` asks "Ada has 12 apples and buys 5 more. How many apples does Ada
have now?", and "She has 12 + 5 = 17." is right, for 17 is its last number.
"""

from functools import partial
from random import Random

from evals.suites.item import Request, draw_items
from evals.suites.short_answers.copying import COPYING
from evals.suites.short_answers.dates import DATES
from evals.suites.short_answers.edits import EDITS
from evals.suites.short_answers.marking import is_equal, mark
from evals.suites.short_answers.ordering import ORDERING
from evals.suites.short_answers.passages import PASSAGES
from evals.suites.short_answers.reading import WISHES, Reading, names_only
from evals.suites.short_answers.stories import STORIES
from evals.suites.short_answers.sums import SUMS
from evals.suites.short_answers.tables import TABLES
from evals.suites.short_answers.template import Asked, Template
from evals.suites.short_answers.units import UNIT_CHANGES
from evals.suites.written import Answer, Mark, Question, WrittenSuite

TEMPLATES: tuple[Template, ...] = (
    *COPYING, *TABLES, *PASSAGES, *STORIES, *SUMS, *EDITS, *ORDERING, *UNIT_CHANGES, *DATES,
)  # fmt: skip
NUM_OF_EACH = 20
MAX_TOKENS = 32  # the longest right answer, a list of four numbers, has 14


def items(request: Request) -> tuple[Question, ...]:
    """Draw questions, in an order that depends on the seed only."""
    pool = [one for template in TEMPLATES for one in _questions(template, request.seed)]
    return draw_items(pool, request)


def _questions(template: Template, seed: int) -> list[Question]:
    generator, found = Random(f"{seed} {template.id}"), dict[str, Question]()
    while len(found) < NUM_OF_EACH:
        drawn = template.draw(generator)
        words = f"{drawn.words}\n{WISHES[template.reading]}"
        marked = partial(mark_answer, drawn, template.reading)
        item = f"{template.id}-{len(found) + 1}"
        found.setdefault(words, Question(item, template.id, words, MAX_TOKENS, marked))
    return list(found.values())


def mark_answer(drawn: Asked, reading: Reading, answer: Answer) -> Mark:
    """Compare an answer, read in a named way, with the calculated one."""
    if reading == "one-of":
        return mark(names_only(answer.text, drawn.answer, drawn.others), answer)
    return mark(is_equal(answer, drawn.answer, reading), answer)


SUITE = WrittenSuite(
    id="short-answers",
    origin="own templates with calculated answers",
    licence="Apache-2.0",
    chance=0.0,
    cluster_key="template",
    rule="greedy; right if equal to the calculated answer, read as the template says: last number, "
    "text, list, exact, or naming the right one alone",
    items=items,
)
