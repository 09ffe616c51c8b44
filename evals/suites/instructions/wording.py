"""Which words the answer uses.

Example: `The market is quiet. Markets close.` holds `market` once: `Markets` is another word.
"""

from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import num_of


@dataclass(frozen=True, slots=True)
class Keywords(Instruction):
    """Every keyword at least once, in any case."""

    kind = "keywords"
    phrasings = (
        "Work in the words {keywords}.",
        "These words have to occur in the text: {keywords}.",
        "Find a place for each of the words {keywords}.",
    )

    keywords: tuple[str, ...]

    def _holds(self, text: str) -> bool:
        return all(num_of(keyword, text) > 0 for keyword in self.keywords)


@dataclass(frozen=True, slots=True)
class KeywordTimes(Instruction):
    """A keyword exactly so many times, in any case."""

    kind = "keyword-times"
    phrasings = (
        'Use the word "{keyword}" exactly {num} times.',
        'The word "{keyword}" must come {num} times, not more and not less.',
        'Write "{keyword}" {num} times in all, no more often.',
    )

    keyword: str
    num: int

    def _holds(self, text: str) -> bool:
        return num_of(self.keyword, text) == self.num


@dataclass(frozen=True, slots=True)
class ForbiddenWords(Instruction):
    """None of these words, in any case."""

    kind = "forbidden-words"
    phrasings = (
        "Avoid the words {banned}.",
        "None of these words may be used: {banned}.",
        "Get by without the words {banned}.",
    )

    banned: tuple[str, ...]

    def _holds(self, text: str) -> bool:
        return not any(num_of(word, text) for word in self.banned)


@dataclass(frozen=True, slots=True)
class OneLabel(Instruction):
    """Exactly one of several labels, spelt as given."""

    kind = "one-label"
    phrasings = (
        "Label the text with exactly one of {labels}, spelt as here.",
        "Of the labels {labels}, write the one that fits and no other.",
        "Choose from {labels} and put your choice, unchanged, in the answer.",
    )

    labels: tuple[str, ...]

    def _holds(self, text: str) -> bool:
        return sum(label in text for label in self.labels) == 1
