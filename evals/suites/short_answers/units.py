"""To turn one unit into another: factor, number, and whether it is to be multiplied.

Origin: own templates, metric units and time. Example: "How many metres are 7 kilometres?", answer
7000; "How many kilometres are 7500 metres?", answer 7.5.
"""

from functools import partial
from random import Random

from evals.suites.short_answers.template import Asked, Template, asked

# Large unit, small unit, how many of the small one make a large one.
UNITS = (
    ("kilometres", "metres", 1000),
    ("kilograms", "grams", 1000),
    ("metres", "centimetres", 100),
    ("hours", "minutes", 60),
    ("minutes", "seconds", 60),
    ("weeks", "days", 7),
    ("euros", "cents", 100),
    ("dozens", "pieces", 12),
)
HALVES = ("kilometres", "hours")  # asked the other way round, with an answer that may end in .5


def _to_small(large: str, small: str, factor: int, draw: Random) -> Asked:
    number = draw.randint(2, 60)
    return asked(f"How many {small} are {number} {large}?", number * factor)


def _to_large(large: str, small: str, factor: int, draw: Random) -> Asked:
    halves = draw.randint(3, 79)
    return asked(f"How many {large} are {halves * factor // 2} {small}?", f"{halves / 2:g}")


UNIT_CHANGES = tuple(
    Template(f"unit-{large}-to-{small}", "number", partial(_to_small, large, small, factor))
    for large, small, factor in UNITS
) + tuple(
    Template(f"unit-{small}-to-{large}", "number", partial(_to_large, large, small, factor))
    for large, small, factor in UNITS
    if large in HALVES
)
