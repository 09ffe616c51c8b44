"""To change or count the letters and words of a text.

Origin: own templates. Example: "Write this word in capital letters: lantern", answer `LANTERN`.
"""

from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import ANIMALS, COLOURS, NAMES, WORDS

ORDINALS = ("first", "second", "third", "fourth", "fifth")
ALL = (*WORDS, *ANIMALS)


def _capitals(draw: Random) -> Asked:
    word = draw.choice(ALL)
    return asked(f"Write this word in capital letters: {word}", word.upper())


def _small(draw: Random) -> Asked:
    word = draw.choice(ALL)
    return asked(f"Write this word in small letters: {word.upper()}", word)


def _reverse(draw: Random) -> Asked:
    word = draw.choice(ALL)
    return asked(f"Write this word backwards: {word}", word[::-1])


def _letter(draw: Random) -> Asked:
    word, at = draw.choice(WORDS), draw.randrange(len(ORDINALS))
    return asked(f'What is the {ORDINALS[at]} letter of the word "{word}"?', word[at])


def _last_letter(draw: Random) -> Asked:
    word = draw.choice(ALL)
    return asked(f'What is the last letter of the word "{word}"?', word[-1])


def _length(draw: Random) -> Asked:
    word = draw.choice(ALL)
    return asked(f'How many letters does the word "{word}" have?', len(word))


def _without(draw: Random) -> Asked:
    word = draw.choice(WORDS)
    letter = draw.choice(sorted(set(word)))
    return asked(
        f'Leave every letter "{letter}" out of this word: {word}', word.replace(letter, "")
    )


def _replace(draw: Random) -> Asked:
    colour, other = draw.sample(COLOURS, 2)
    animal, place = draw.choice(ANIMALS), draw.choice(WORDS)
    told = f"the {{}} {animal} and the {place}"
    return asked(
        f'Put the word "{other}" in place of "{colour}" in this text: {told.format(colour)}',
        told.format(other),
    )


def _joined(draw: Random) -> Asked:
    one, other = draw.sample(WORDS, 2)
    return asked(f"Join these two words with a hyphen: {one} {other}", f"{one}-{other}")


def _nth_word(draw: Random) -> Asked:
    words, at = draw.sample(WORDS, 5), draw.randrange(5)
    return asked(
        f"What is the {ORDINALS[at]} word of this list: {', '.join(words)}?", words[at], words
    )


def _num_words(draw: Random) -> Asked:
    words = draw.sample(ALL, draw.randint(3, 9))
    return asked(f"How many words are in this list: {', '.join(words)}?", len(words))


def _initials(draw: Random) -> Asked:
    first, last = draw.choice(NAMES), draw.choice(WORDS).title()
    return asked(
        f"What are the initials of {first} {last}? Write both letters without dots or spaces.",
        first[0] + last[0],
    )


EDITS = (
    Template("edit-capitals", "exact", _capitals),
    Template("edit-small", "exact", _small),
    Template("edit-reverse", "exact", _reverse),
    Template("edit-letter", "text", _letter),
    Template("edit-last-letter", "text", _last_letter),
    Template("edit-length", "number", _length),
    Template("edit-without", "exact", _without),
    Template("edit-replace", "exact", _replace),
    Template("edit-joined", "exact", _joined),
    Template("edit-nth-word", "one-of", _nth_word),
    Template("edit-num-words", "number", _num_words),
    Template("edit-initials", "exact", _initials),
)
