"""Ask a served model for log-probabilities: of a prompt's tokens, and of what it writes.

The completions API of OpenAI with `echo`, and vLLM's token-id prompts and `return_token_ids`.
"""

import math
from typing import Any, Protocol

from variants.errors import MeasurementError

DECODED_TOKENS = 48


class Served(Protocol):
    """What is asked of an endpoint."""

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        """Return the JSON of a POST."""
        ...


def prompt_logprobs(served: Served, tokens: list[int], deadline_s: float) -> list[float]:
    """Ask for the log-probability of every prompt token from the second on."""
    return scores_of(prefill(served, tokens, 0, deadline_s), len(tokens))


def prefill(
    served: Served, tokens: list[int], num_ranked: int, deadline_s: float
) -> dict[str, Any]:
    """Ask for the log-probabilities of a prompt's tokens, and of so many ranked first at each.

    Raises:
        MeasurementError: the server gives none.
    """
    body: dict[str, object] = {
        "prompt": tokens, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": num_ranked,
        "return_tokens_as_token_ids": True,  # two tokens may be spelled alike
    }  # fmt: skip
    answer = served.post("/v1/completions", body, deadline_s)
    try:
        return dict(answer["choices"][0]["logprobs"])
    except (KeyError, IndexError, TypeError) as error:
        raise MeasurementError(f"the server gave no log-probabilities: {answer!r:.200}") from error


def scores_of(logprobs: dict[str, Any], num_tokens: int) -> list[float]:
    """Return the log-probability of each token from the second on.

    Raises:
        MeasurementError: not every position was scored.
    """
    scores = (logprobs.get("token_logprobs") or [])[1:num_tokens]
    if len(scores) != num_tokens - 1:
        raise MeasurementError(f"the server scored {len(scores)} of {num_tokens - 1} positions")
    return [_number(one) for one in scores]


def firsts(logprobs: dict[str, Any], num_tokens: int) -> list[float]:
    """Return the log-probability of the token ranked first, from the second position on."""
    return [_highest(list(top.values())) for top in ranked(logprobs, num_tokens)]


def ranked(logprobs: dict[str, Any], num_tokens: int) -> list[dict[str, float]]:
    """Return token -> log-probability of those ranked first, from the second position on.

    Raises:
        MeasurementError: not every position was ranked.
    """
    tops = (logprobs.get("top_logprobs") or [])[1:num_tokens]
    num_ranked = sum(isinstance(top, dict) and len(top) > 0 for top in tops)
    if num_ranked != num_tokens - 1:
        raise MeasurementError(f"the server ranked {num_ranked} of {num_tokens - 1} positions")
    return [{name: _number(score) for name, score in top.items()} for top in tops]


def _highest(scores: list[float]) -> float:
    return max(scores) if all(map(math.isfinite, scores)) else math.nan


def complete(served: Served, tokens: list[int], deadline_s: float) -> tuple[list[int], list[float]]:
    """Generate greedily; return the token ids and their log-probabilities.

    No `min_tokens`: it bans the end of text, which prefill may rank first; `ignore_eos` suffices.
    """
    body: dict[str, object] = {
        "prompt": tokens, "max_tokens": DECODED_TOKENS, "ignore_eos": True, "temperature": 0,
        "logprobs": 0, "return_token_ids": True,
    }  # fmt: skip
    answer = served.post("/v1/completions", body, deadline_s)
    try:
        choice = answer["choices"][0]
        generated, scores = list(choice["token_ids"]), list(choice["logprobs"]["token_logprobs"])
    except (KeyError, IndexError, TypeError) as error:
        raise MeasurementError(
            f"the server gave no token ids with log-probabilities: {answer!r:.200}"
        ) from error
    if not len(generated) == len(scores) == DECODED_TOKENS:
        raise MeasurementError(
            f"the server generated {len(generated)} tokens and scored {len(scores)}, "
            f"{DECODED_TOKENS} were asked"
        )
    return generated, [_number(one) for one in scores]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
