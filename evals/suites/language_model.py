"""What lm-eval needs of a model to score token ids, with our own tokenization.

Context and option are encoded apart: lm-eval's default would move a template's trailing newline
from the context into the option, and change the option's length.
"""

import math
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from lm_eval.api.model import TemplateLM

from evals.suites.item import Tokenizer

NOT_ANSWERED = (math.nan, False)
Pair = tuple[Any, list[int], list[int]]  # (strings, context ids, option ids)


class TokenScorer(TemplateLM):  # type: ignore[misc]
    """Scores options that share a context in one go; subclasses fill `score_options`."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Keep the tokenizer of the artifact that is scored."""
        super().__init__()
        self._own = tokenizer
        self.on_answer: Callable[[int, int], None] = lambda answered, asked: None

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Return the summed log-probability of each option after the context, in nats."""
        raise NotImplementedError

    @property
    def eot_token_id(self) -> int:
        """Never used: a context is never empty."""
        raise NotImplementedError

    def tok_encode(
        self, string: str, add_special_tokens: bool | None = None, **_: Any
    ) -> list[int]:
        """Encode with the artifact's tokenizer."""
        return self._own.encode(string)

    def _encode_pair(self, context: str, continuation: str) -> tuple[list[int], list[int]]:
        return self.tok_encode(context), self.tok_encode(continuation)

    def _loglikelihood_tokens(self, requests: list[Pair], **_: Any) -> list[tuple[float, bool]]:
        answers: list[tuple[float, bool]] = []
        items = list(grouped(requests))
        for number, (context, options) in enumerate(items, start=1):
            answers.extend((score, False) for score in self.score_options(context, options))
            self.on_answer(number, len(items))
        return answers

    def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> list[float]:
        """Not part of any suite yet."""
        raise NotImplementedError("no suite scores rolling log-likelihood")

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        """Not part of any suite yet."""
        raise NotImplementedError("no suite generates through lm-eval")


def grouped(requests: list[Pair]) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Group neighbouring requests by context (lm-eval keeps the options of an item together)."""
    for context, group in groupby(requests, key=lambda request: tuple(request[1])):
        yield list(context), [list(request[2]) for request in group]
