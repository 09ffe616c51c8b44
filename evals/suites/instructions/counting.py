"""How long the answer is: words and sentences.

Example: `Rain fell. We stayed in.` has 5 words and 2 sentences.
"""

from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import num_sentences, words_of


@dataclass(frozen=True, slots=True)
class WordsAtLeast(Instruction):
    """Not fewer than so many words."""

    kind = "words-at-least"
    phrasings = (
        "Use {num} words or more.",
        "The text must not be shorter than {num} words.",
        "Do not stop before you have written {num} words.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return len(words_of(text)) >= self.num


@dataclass(frozen=True, slots=True)
class WordsAtMost(Instruction):
    """Not more than so many words."""

    kind = "words-at-most"
    phrasings = (
        "Stay within {num} words.",
        "The whole answer may have {num} words at most.",
        "Do not go past {num} words in total.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return len(words_of(text)) <= self.num


@dataclass(frozen=True, slots=True)
class WordsBetween(Instruction):
    """A number of words from low to high, both included."""

    kind = "words-between"
    phrasings = (
        "Aim for {low} to {high} words, both limits included.",
        "The number of words has to lie from {low} to {high}.",
        "Write no fewer than {low} and no more than {high} words.",
    )

    low: int
    high: int

    def _holds(self, text: str) -> bool:
        return self.low <= len(words_of(text)) <= self.high


@dataclass(frozen=True, slots=True)
class SentencesAtLeast(Instruction):
    """Not fewer than so many sentences."""

    kind = "sentences-at-least"
    phrasings = (
        "Form {num} sentences or more.",
        "The text needs no fewer than {num} sentences.",
        "Fewer than {num} sentences will not do.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return num_sentences(text) >= self.num


@dataclass(frozen=True, slots=True)
class SentencesAtMost(Instruction):
    """Not more than so many sentences."""

    kind = "sentences-at-most"
    phrasings = (
        "Say it all in {num} sentences or fewer.",
        "Do not write more than {num} sentences.",
        "The text may hold {num} sentences at most.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return num_sentences(text) <= self.num
