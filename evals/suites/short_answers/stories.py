"""Arithmetic in a story: one or two steps with whole numbers.

Origin: own templates, after the idea of GSM8K (arXiv 2110.14168). Example: "Ada has 12 apples and
buys 5 more. How many apples does Ada have now?", answer 17.
"""

from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import NAMES, THINGS


def _who_what(draw: Random) -> tuple[str, str]:
    return draw.choice(NAMES), draw.choice(sorted(THINGS.values()))


def _buys(draw: Random) -> Asked:
    (name, things), has, more = _who_what(draw), draw.randint(3, 60), draw.randint(2, 40)
    return asked(
        f"{name} has {has} {things} and buys {more} more. How many {things} does {name} have now?",
        has + more,
    )


def _gives(draw: Random) -> Asked:
    (name, things), has = _who_what(draw), draw.randint(12, 80)
    given = draw.randint(2, has - 2)
    return asked(
        f"{name} had {has} {things} and gave {given} of them away. How many {things} are left?",
        has - given,
    )


def _boxes(draw: Random) -> Asked:
    (name, things), num, each = _who_what(draw), draw.randint(3, 12), draw.randint(3, 12)
    return asked(
        f"{name} has {num} boxes with {each} {things} in each. How many {things} are there?",
        num * each,
    )


def _shares(draw: Random) -> Asked:
    (name, things), num, each = _who_what(draw), draw.randint(3, 9), draw.randint(3, 12)
    return asked(
        f"{name} shares {num * each} {things} equally among {num} friends. How many {things} does "
        "each friend get?",
        each,
    )


def _finds_and_loses(draw: Random) -> Asked:
    (name, things), has, more = _who_what(draw), draw.randint(10, 50), draw.randint(5, 30)
    lost = draw.randint(2, 9)
    return asked(
        f"{name} had {has} {things}, found {more} more and then lost {lost}. How many {things} "
        f"does {name} have in the end?",
        has + more - lost,
    )


def _pays(draw: Random) -> Asked:
    (name, things), num, price = _who_what(draw), draw.randint(2, 9), draw.randint(3, 15)
    return asked(
        f"{name} buys {num} {things} at {price} euros each. How many euros does {name} pay?",
        num * price,
    )


def _change(draw: Random) -> Asked:
    (name, things), num, price = _who_what(draw), draw.randint(2, 6), draw.randint(3, 15)
    return asked(
        f"{name} buys {num} {things} at {price} euros each and pays with a 100 euro note. How many "
        "euros does the seller give back?",
        100 - num * price,
    )


def _older(draw: Random) -> Asked:
    name, age, years = draw.choice(NAMES), draw.randint(5, 60), draw.randint(3, 25)
    return asked(f"{name} is {age} years old. How old is {name} in {years} years?", age + years)


def _younger(draw: Random) -> Asked:
    (old, young), age = draw.sample(NAMES, 2), draw.randint(20, 70)
    less = draw.randint(2, 15)
    return asked(
        f"{old} is {age}. {young} is {less} years younger. How old is {young}?", age - less
    )


def _drives(draw: Random) -> Asked:
    name, speed, hours = draw.choice(NAMES), draw.choice(range(40, 125, 5)), draw.randint(2, 6)
    return asked(
        f"{name} drives for {hours} hours at {speed} kilometres per hour. How many kilometres is "
        "that?",
        speed * hours,
    )


def _saves(draw: Random) -> Asked:
    name, weeks, each, spent = (
        draw.choice(NAMES), draw.randint(4, 12), draw.randint(5, 20), draw.randint(3, 18),
    )  # fmt: skip
    return asked(
        f"{name} saves {each} euros a week for {weeks} weeks and then spends {spent} euros. How "
        "many euros are left?",
        weeks * each - spent,
    )


def _half(draw: Random) -> Asked:
    (name, things), half = _who_what(draw), draw.randint(4, 45)
    return asked(
        f"{name} has {2 * half} {things} and sells half of them. How many {things} are sold?", half
    )


STORIES = (
    Template("story-buys", "number", _buys),
    Template("story-gives", "number", _gives),
    Template("story-boxes", "number", _boxes),
    Template("story-shares", "number", _shares),
    Template("story-finds-and-loses", "number", _finds_and_loses),
    Template("story-pays", "number", _pays),
    Template("story-change", "number", _change),
    Template("story-older", "number", _older),
    Template("story-younger", "number", _younger),
    Template("story-drives", "number", _drives),
    Template("story-saves", "number", _saves),
    Template("story-half", "number", _half),
)
