"""To read a few sentences and keep track of who, what and where.

Origin: own templates, after the idea of the bAbI tasks (Weston et al., 2015). Example: "Ada gave
the book to Ben. Then Ben gave it to Cara. Who has the book now?", answer Cara.
"""

from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import (
    ANIMALS,
    CITIES,
    JOBS,
    NAMES,
    PLACES,
    THINGS,
    WEEKDAYS,
)


def _where(draw: Random) -> Asked:
    name, thing, place = draw.choice(NAMES), draw.choice(sorted(THINGS)), draw.choice(PLACES)
    other = draw.choice(CITIES)
    words = (
        f"{name} put the {thing} in the {place} and took a train to {other}. Where is the {thing}?"
    )
    return asked(words, place, PLACES + CITIES)


def _moved(draw: Random) -> Asked:
    name, thing = draw.choice(NAMES), draw.choice(sorted(THINGS))
    first, second = draw.sample(PLACES, 2)
    words = (
        f"In the morning the {thing} was in the {first}. At noon {name} carried it to the "
        f"{second}. Where is the {thing} now?"
    )
    return asked(words, second, PLACES)


def _handed_on(draw: Random) -> Asked:
    first, second, third = draw.sample(NAMES, 3)
    thing = draw.choice(sorted(THINGS))
    words = (
        f"{first} gave the {thing} to {second}. Then {second} gave it to {third}. "
        f"Who has the {thing} now?"
    )
    return asked(words, third, (first, second))


def _whose_job(draw: Random) -> Asked:
    names, jobs = draw.sample(NAMES, 3), draw.sample(JOBS, 3)
    told = " ".join(f"{name} is a {job}." for name, job in zip(names, jobs, strict=True))
    at = draw.randrange(3)
    return asked(f"{told} Who is the {jobs[at]}?", names[at], names)


def _whose_pet(draw: Random) -> Asked:
    names, pets = draw.sample(NAMES, 3), draw.sample(ANIMALS, 3)
    told = " ".join(f"{name} has a {pet}." for name, pet in zip(names, pets, strict=True))
    at = draw.randrange(3)
    return asked(f"{told} Which animal does {names[at]} have?", pets[at], pets)


def _postponed(draw: Random) -> Asked:
    name = draw.choice(NAMES)
    first, second = draw.sample(WEEKDAYS, 2)
    words = (
        f"The meeting with {name} was planned for {first}, but it was moved to {second}. "
        "On which day of the week is the meeting?"
    )
    return asked(words, second, WEEKDAYS)


def _first_home(draw: Random) -> Asked:
    early, middle, late = draw.sample(NAMES, 3)
    words = (
        f"{middle} came home after {early}. {late} came home after {middle}. Who came home first?"
    )
    return asked(words, early, (middle, late))


def _smallest(draw: Random) -> Asked:
    tall, middle, small = draw.sample(NAMES, 3)
    words = f"{tall} is taller than {middle}. {middle} is taller than {small}. Who is the smallest?"
    return asked(words, small, (tall, middle))


def _journey(draw: Random) -> Asked:
    name = draw.choice(NAMES)
    start, stop, goal = draw.sample(CITIES, 3)
    words = (
        f"{name} travelled from {start} to {goal}, with a night in {stop} on the way. "
        f"Where did the journey of {name} begin?"
    )
    return asked(words, start, CITIES)


PASSAGES = (
    Template("passage-where", "one-of", _where),
    Template("passage-moved", "one-of", _moved),
    Template("passage-handed-on", "one-of", _handed_on),
    Template("passage-whose-job", "one-of", _whose_job),
    Template("passage-whose-pet", "one-of", _whose_pet),
    Template("passage-postponed", "one-of", _postponed),
    Template("passage-first-home", "one-of", _first_home),
    Template("passage-smallest", "one-of", _smallest),
    Template("passage-journey", "one-of", _journey),
)
