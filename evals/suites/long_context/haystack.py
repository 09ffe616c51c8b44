"""What a fact is hidden in: whole sentences of the evaluation half of the prose, in running order.

Left out are passages that share 13 words with the calibration half (`evals.suites.overlap`), and
sentences with a digit or an equals sign: numbers and assignments are what the questions ask for.

Example: sentences A, B, C, D of 5, 3, 4, 2 tokens, from C on, for 9 tokens: C and D leave 3, for
which A is too long; B is the longest of all that fits, and leaves none.
"""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from evals.suites.item import Tokenizer
from evals.suites.overlap import runs_of
from variants.prose import passages

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
ASKED_FOR = re.compile(r"[\d=]")
WORD = re.compile(r"\w+")
MIN_WORDS = 4  # shorter ones are headings and cut abbreviations


@dataclass(frozen=True, slots=True)
class Haystack:
    """Sentences with their token counts, and every word in them."""

    sentences: tuple[str, ...]
    num_tokens: tuple[int, ...]
    words: frozenset[str]

    def fill(self, start: int, budgets: Sequence[int]) -> list[list[str]]:
        """Fill one part after another, each with its budget of tokens and what the last one left.

        No sentence comes twice, and a part without a budget stays empty.
        """
        order = deque(range(len(self.sentences)))
        order.rotate(-start)
        left, parts = 0, []
        for budget in budgets:
            part = self._part(order, budget + left) if budget > 0 else []
            left += budget - sum(self.num_tokens[index] for index in part)
            parts.append([self.sentences[index] for index in part])
        return parts

    def _part(self, order: deque[int], left: int) -> list[int]:
        """Take the next sentences while they fit, then again and again the longest that fits."""
        taken: list[int] = []
        while order and self.num_tokens[order[0]] <= left:
            taken.append(order.popleft())
            left -= self.num_tokens[taken[-1]]
        while fitting := [index for index in order if self.num_tokens[index] <= left]:
            taken.append(max(fitting, key=self.num_tokens.__getitem__))
            order.remove(taken[-1])
            left -= self.num_tokens[taken[-1]]
        return taken


def haystack_of(tokenizer: Tokenizer) -> Haystack:
    """Count every sentence with the tokenizer, as it stands inside a text: after a space."""
    sentences = _sentences()
    counts = tuple(len(tokenizer.encode(" " + sentence)) for sentence in sentences)
    words = frozenset(word for sentence in sentences for word in WORD.findall(sentence))
    return Haystack(sentences, counts, words)


@cache
def _sentences() -> tuple[str, ...]:
    seen = runs_of(passages("calibration").values())
    texts = [text for text in passages("evaluation").values() if seen.isdisjoint(runs_of([text]))]
    found = (sentence for text in texts for sentence in SENTENCE_END.split(text))
    return tuple(dict.fromkeys(filter(_is_filler, found)))


def _is_filler(sentence: str) -> bool:
    if len(sentence.split()) < MIN_WORDS or ASKED_FOR.search(sentence):
        return False
    return sentence[0].isupper() and sentence[-1] == "."
