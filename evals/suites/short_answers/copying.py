"""To repeat what stands in the question: the easiest, so that a small base is above the floor.

Origin: own templates. Example: `Repeat this word: "lantern"`, answer `lantern`.
"""

from random import Random
from string import ascii_uppercase

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import (
    ANIMALS,
    CITIES,
    COLOURS,
    JOBS,
    NAMES,
    THINGS,
    WORDS,
)


def _word(draw: Random) -> Asked:
    word = draw.choice((*WORDS, *ANIMALS))
    return asked(f"Repeat this word: {word}.", word)


def _number(draw: Random) -> Asked:
    number = draw.randint(100, 9999)
    return asked(f"Repeat this number: {number}.", number)


def _phrase(draw: Random) -> Asked:
    phrase = f"{draw.choice(COLOURS)} {draw.choice(list(THINGS))}"
    return asked(f"Repeat these two words: {phrase}.", phrase)


def _code(draw: Random) -> Asked:
    letters = "".join(draw.choices(ascii_uppercase, k=3))
    code = f"{letters}-{draw.randint(100, 999)}"
    return asked(f"Repeat this code: {code}", code)


def _quoted(draw: Random) -> Asked:
    name, word = draw.choice(NAMES), draw.choice(WORDS)
    return asked(f'{name} said the word "{word}" aloud. Which word did {name} say?', word)


def _name(draw: Random) -> Asked:
    name, city = draw.choice(NAMES), draw.choice(CITIES)
    return asked(f"Hello! My name is {name} and I live in {city}. What is my name?", name)


def _city(draw: Random) -> Asked:
    name, city = draw.choice(NAMES), draw.choice(CITIES)
    return asked(f"{name} lives in {city}. In which city does {name} live?", city)


def _colour(draw: Random) -> Asked:
    thing, colour = draw.choice(list(THINGS)), draw.choice(COLOURS)
    return asked(f"The {thing} is {colour}. What colour is the {thing}?", colour)


def _job(draw: Random) -> Asked:
    name, job = draw.choice(NAMES), draw.choice(JOBS)
    return asked(f"{name} works as a {job}. What is the job of {name}?", job)


COPYING = (
    Template("copy-word", "text", _word),
    Template("copy-number", "number", _number),
    Template("copy-phrase", "text", _phrase),
    Template("copy-code", "exact", _code),
    Template("copy-quoted", "one-of", _quoted),
    Template("copy-name", "one-of", _name),
    Template("copy-city", "one-of", _city),
    Template("copy-colour", "one-of", _colour),
    Template("copy-job", "one-of", _job),
)
