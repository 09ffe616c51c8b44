"""Arithmetic without a story.

Origin: own templates. Example: "What is 17 + 25?", answer 42; "What comes next: 4, 7, 10, 13?",
answer 16.
"""

from random import Random

from evals.suites.short_answers.template import Asked, Template, asked


def _add(draw: Random) -> Asked:
    one, other = draw.randint(2, 99), draw.randint(2, 99)
    return asked(f"What is {one} + {other}?", one + other)


def _add_small(draw: Random) -> Asked:
    one, other = draw.randint(1, 9), draw.randint(1, 9)
    return asked(f"What is {one} plus {other}?", one + other)


def _subtract(draw: Random) -> Asked:
    one, other = draw.randint(2, 99), draw.randint(2, 99)
    return asked(f"What is {one + other} - {other}?", one)


def _multiply(draw: Random) -> Asked:
    one, other = draw.randint(3, 12), draw.randint(3, 19)
    return asked(f"What is {one} * {other}?", one * other)


def _divide(draw: Random) -> Asked:
    one, other = draw.randint(3, 12), draw.randint(3, 19)
    return asked(f"What is {one * other} divided by {one}?", other)


def _missing(draw: Random) -> Asked:
    one, other = draw.randint(2, 50), draw.randint(2, 50)
    return asked(f"Which number is x, if {one} + x = {one + other}?", other)


def _remainder(draw: Random) -> Asked:
    divisor, number = draw.randint(3, 9), draw.randint(20, 99)
    return asked(f"What is the remainder when {number} is divided by {divisor}?", number % divisor)


def _next(draw: Random) -> Asked:
    first, step = draw.randint(1, 40), draw.randint(2, 9)
    shown = ", ".join(str(first + place * step) for place in range(4))
    return asked(f"Which number comes next: {shown}?", first + 4 * step)


def _three(draw: Random) -> Asked:
    one, two, three = (draw.randint(2, 30) for _ in range(3))
    return asked(f"Calculate {one} + {two} * {three}.", one + two * three)


def _percent(draw: Random) -> Asked:
    percent, hundreds = draw.choice(range(5, 100, 5)), draw.randint(1, 9)
    return asked(f"How much is {percent} percent of {100 * hundreds}?", percent * hundreds)


SUMS = (
    Template("sum-add", "number", _add),
    Template("sum-add-small", "number", _add_small),
    Template("sum-subtract", "number", _subtract),
    Template("sum-multiply", "number", _multiply),
    Template("sum-divide", "number", _divide),
    Template("sum-missing", "number", _missing),
    Template("sum-remainder", "number", _remainder),
    Template("sum-next", "number", _next),
    Template("sum-two-operations", "number", _three),
    Template("sum-percent", "number", _percent),
)
