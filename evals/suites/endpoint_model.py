"""Score a served variant over its OpenAI-compatible endpoint (adapter over httpx).

Token ids go in and `echo` with `logprobs` brings the log-probability of every prompt token back,
so no second tokenization can differ. Several items are in flight at once; a request that fails is
an item without an answer, never a repeated one.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from evals.suites.item import Tokenizer
from evals.suites.language_model import NOT_ANSWERED, Pair, TokenScorer, grouped

IN_FLIGHT = 8
TIMEOUT_S = 120.0


class EndpointModel(TokenScorer):
    """lm-eval model over an endpoint."""

    def __init__(self, url: str, served_name: str, tokenizer: Tokenizer) -> None:
        """Keep one connection pool for the whole suite."""
        super().__init__(tokenizer)
        self._served_name = served_name
        self._client = httpx.Client(base_url=url, timeout=TIMEOUT_S)

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Sum the log-probabilities that the server gives for each option's tokens."""
        body = {
            "model": self._served_name,
            "prompt": [context + option for option in options],
            "max_tokens": 1,
            "temperature": 0,
            "echo": True,
            "logprobs": 0,
        }
        try:
            answer = self._client.post("/v1/completions", json=body)
            answer.raise_for_status()
            choices = sorted(answer.json()["choices"], key=lambda choice: choice["index"])
            return [_summed(choice, len(context), len(options[0])) for choice in choices]
        except (httpx.HTTPError, KeyError, IndexError, TypeError, ValueError):
            return [math.nan] * len(options)

    def _loglikelihood_tokens(self, requests: list[Pair], **_: Any) -> list[tuple[float, bool]]:
        items = list(grouped(requests))
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            scored = list(pool.map(lambda item: self.score_options(*item), items))
        complete = (
            _complete(scores, len(item[1])) for scores, item in zip(scored, items, strict=True)
        )
        return [answer for answers in complete for answer in answers]


def _summed(choice: dict[str, Any], start: int, length: int) -> float:
    logprobs = choice["logprobs"]["token_logprobs"][start : start + length]
    if len(logprobs) != length:
        raise ValueError(f"{len(logprobs)} log-probabilities for {length} tokens")
    return math.fsum(logprobs)


def _complete(scores: list[float], expected: int) -> list[tuple[float, bool]]:
    if len(scores) != expected:
        return [NOT_ANSWERED] * expected
    return [(score, False) for score in scores]
