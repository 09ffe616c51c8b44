"""Which letters the answer is made of: their case, how often one occurs, no comma.

Example: `We met at NOON` has one word in capitals, two letters `t`, two `m`, and no comma.
"""

from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import words_of

COMMAS = ",，、،"  # Latin, full-width, ideographic, Arabic
MIN_LETTERS = 2  # `I` and `A` are capitals without being written so on purpose


@dataclass(frozen=True, slots=True)
class LowerCase(Instruction):
    """No capital letter."""

    kind = "lower-case"
    phrasings = (
        "Use small letters only.",
        "Do not write a single capital letter, not even in names.",
        "Keep every letter in lower case, also where a sentence starts.",
    )

    def _holds(self, text: str) -> bool:
        return text.islower()


@dataclass(frozen=True, slots=True)
class Capitals(Instruction):
    """No small letter."""

    kind = "capitals"
    phrasings = (
        "Set the entire text in capital letters.",
        "Write everything in upper case.",
        "No small letters: use capitals from start to end.",
    )

    def _holds(self, text: str) -> bool:
        return text.isupper()


@dataclass(frozen=True, slots=True)
class CapitalWords(Instruction):
    """At least so many words of two letters or more in capitals."""

    kind = "capital-words"
    phrasings = (
        "Stress at least {num} words by writing them fully in capitals.",
        "Let {num} words or more stand in CAPITALS.",
        "Write no fewer than {num} of the longer words in upper case from first to last letter.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        shouted = [word for word in words_of(text) if len(word) >= MIN_LETTERS and word.isupper()]
        return len(shouted) >= self.num


@dataclass(frozen=True, slots=True)
class NoCommas(Instruction):
    """No comma of any script, in numbers neither."""

    kind = "no-commas"
    phrasings = (
        "Do without commas.",
        "Leave out every comma.",
        "There must be no comma anywhere in the text.",
    )

    def _holds(self, text: str) -> bool:
        return not any(comma in text for comma in COMMAS)


@dataclass(frozen=True, slots=True)
class LetterTimes(Instruction):
    """A letter at least so many times, small and capital counted alike."""

    kind = "letter-times"
    phrasings = (
        'Let the letter "{letter}" occur {num} times or more.',
        'The letter "{letter}" has to be found at least {num} times.',
        'Choose words so that there are no fewer than {num} letters "{letter}".',
    )

    letter: str
    num: int

    def _holds(self, text: str) -> bool:
        return text.lower().count(self.letter) >= self.num
