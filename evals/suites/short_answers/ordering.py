"""To put numbers, words, months and days in order.

Origin: own templates. Example: "Sort these numbers from small to large: 31, 7, 19", answer
`7, 19, 31`.
"""

from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import ANIMALS, CITIES, WORDS


def _listed(things: list[int] | list[str]) -> str:
    return ", ".join(map(str, things))


def _ascending(draw: Random) -> Asked:
    numbers = draw.sample(range(2, 99), 4)
    return asked(
        f"Sort these numbers from small to large: {_listed(numbers)}", _listed(sorted(numbers))
    )


def _descending(draw: Random) -> Asked:
    numbers = draw.sample(range(2, 99), 4)
    ordered = sorted(numbers, reverse=True)
    return asked(f"Sort these numbers from large to small: {_listed(numbers)}", _listed(ordered))


def _alphabetical(draw: Random) -> Asked:
    words = draw.sample(ANIMALS, 3)
    return asked(f"Sort these words by the alphabet: {_listed(words)}", _listed(sorted(words)))


def _backwards(draw: Random) -> Asked:
    words = draw.sample(WORDS, 3)
    return asked(f"Write this list in reverse order: {_listed(words)}", _listed(words[::-1]))


def _largest(draw: Random) -> Asked:
    numbers = draw.sample(range(2, 999), 4)
    return asked(f"Which of these numbers is the largest: {_listed(numbers)}?", max(numbers))


def _second_smallest(draw: Random) -> Asked:
    numbers = draw.sample(range(2, 99), 4)
    return asked(
        f"Which of these numbers is the second smallest: {_listed(numbers)}?", sorted(numbers)[1]
    )


def _first_city(draw: Random) -> Asked:
    cities = draw.sample(CITIES, 4)
    return asked(
        f"Which of these cities comes first in the alphabet: {_listed(cities)}?",
        min(cities),
        cities,
    )


def _longest(draw: Random) -> Asked:
    long = draw.choice([word for word in WORDS if len(word) > 6])
    short = draw.sample([word for word in ANIMALS if len(word) < 6], 3)
    words = draw.sample([long, *short], 4)
    return asked(f"Which of these words has the most letters: {_listed(words)}?", long, words)


ORDERING = (
    Template("order-ascending", "list", _ascending),
    Template("order-descending", "list", _descending),
    Template("order-alphabetical", "list", _alphabetical),
    Template("order-backwards", "list", _backwards),
    Template("order-largest", "number", _largest),
    Template("order-second-smallest", "number", _second_smallest),
    Template("order-first-city", "one-of", _first_city),
    Template("order-longest-word", "one-of", _longest),
)
