"""Score a served variant over its OpenAI-compatible endpoint (adapter over httpx).

Token ids go in and `echo` with `logprobs` brings the log-probability of every prompt token back,
so no second tokenization can differ. Several items are in flight at once; a request that fails is
an item without an answer, never a repeated one. A server from which nothing comes back at all
is given up: hundreds of items would wait out the deadline one after the other.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from evals.suites.item import Tokenizer
from evals.suites.language_model import NOT_ANSWERED, Pair, TokenScorer, grouped
from evals.suites.silence import Silence

IN_FLIGHT = 8
TIMEOUT_S = 120.0


class EndpointModel(TokenScorer):
    """lm-eval model over an endpoint."""

    def __init__(
        self, url: str, served_name: str, tokenizer: Tokenizer, timeout_s: float = TIMEOUT_S
    ) -> None:
        """Keep one connection pool, and one count of silence, for the whole suite."""
        super().__init__(tokenizer)
        self._served_name = served_name
        # a kept connection may be closed by the server just as it is used
        limits = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.Client(base_url=url, timeout=timeout_s, limits=limits)
        self._silence = Silence(IN_FLIGHT)

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Sum the log-probabilities that the server gives for each option's tokens.

        Raises:
            MeasurementError: the last 8 requests brought nothing back, not even an error.
        """
        self._silence.check()
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
            self._silence.end()
            answer.raise_for_status()
            choices = sorted(answer.json()["choices"], key=lambda choice: choice["index"])
            return [
                _summed(choice, len(context), len(option))
                for choice, option in zip(choices, options, strict=True)
            ]
        except httpx.TransportError as error:
            self._silence.add(error)
            return [math.nan] * len(options)
        except (httpx.HTTPError, KeyError, IndexError, TypeError, ValueError):
            return [math.nan] * len(options)

    def _loglikelihood_tokens(self, requests: list[Pair], **_: Any) -> list[tuple[float, bool]]:
        items = list(grouped(requests))
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            scored = pool.map(lambda item: self.score_options(*item), items)
            answers: list[tuple[float, bool]] = []
            for number, (item, scores) in enumerate(zip(items, scored, strict=True), start=1):
                answers += _complete(scores, len(item[1]))
                self.on_answer(number, len(items))
        return answers


def _summed(choice: dict[str, Any], start: int, length: int) -> float:
    logprobs = choice["logprobs"]["token_logprobs"][start : start + length]
    if len(logprobs) != length:
        raise ValueError(f"{len(logprobs)} log-probabilities for {length} tokens")
    return math.fsum(logprobs)


def _complete(scores: list[float], expected: int) -> list[tuple[float, bool]]:
    if len(scores) != expected:
        return [NOT_ANSWERED] * expected
    return [(score, False) for score in scores]
