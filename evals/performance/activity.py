"""Is what was switched on at work? The engine's own counters must move when it is used.

An engine takes a flag for speculation or prefix caching and may still run without: the model does
not support it, another flag rules it out. Its configuration then says on. So each is given one
request it cannot help but serve, and its counters are read before and after.

Example: a prompt of 512 tokens sent twice in blocks of 128 raises `prefix_hit_tokens_total` by 384;
where it stays, the cache is off, whatever was reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.performance.endpoint import Endpoint
from evals.performance.scrape import is_idle_within, scrape
from evals.results import Check
from evals.suites.served_scores import DECODED_TOKENS, Served
from variants.specs.spec import Serving

PROMPT_TOKENS = 512  # four blocks of 128, the largest in use (vLLM's CPU build)
ROOM_TOKENS = 2 * DECODED_TOKENS
ECHOED_TOKENS = 64  # written twice, so that an n-gram of the end stands earlier too
IDLE_S = 30.0  # counters are brought up to date when a request has ended

Counts = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A server, where its counters are read, and natural text to ask with."""

    served: Served
    address: Endpoint
    stream: Sequence[int]
    deadline_s: float


def check_activity(asked: Asked, serving: Serving, reported: Mapping[str, str]) -> list[Check]:
    """Look whether what is on by the configuration is on by the counters; () where nothing is.

    Raises:
        EngineError: the server gives no answer in time.
        MeasurementError: its counters cannot be read.
    """
    checks: list[Check] = []
    if reported.get("prefix_caching") == "True":
        checks.append(_prefix_cache(asked, serving.max_model_len))
    if serving.speculation is not None:
        checks.append(_speculation(asked))
    return checks


def _prefix_cache(asked: Asked, max_model_len: int) -> Check:
    prompt = list(asked.stream[: min(PROMPT_TOKENS, max_model_len - ROOM_TOKENS)])
    _ask(asked, prompt, 1)
    counts = _moved(asked, prompt, 1)
    hits = counts["prefix_hit_tokens_total"]
    told = f"a prompt of {len(prompt)} tokens sent twice: {_said(hits)} found in the prefix cache"
    wrong = "the engine reports prefix caching and caches nothing; look at its log for what rules "
    return _check("prefix-cache-active", bool(hits), told, wrong + "it out", counts)


def _speculation(asked: Asked) -> Check:
    passage = list(asked.stream[-ECHOED_TOKENS:])
    counts = _moved(asked, passage + passage, DECODED_TOKENS)
    drafted, accepted = counts["spec_drafted_total"], counts["spec_accepted_total"]
    told = f"over {DECODED_TOKENS} tokens {_said(drafted)} drafted and {_said(accepted)} accepted"
    wrong = "the engine took the flag and drafts nothing; look at its log for what rules it out"
    return _check("speculation-active", bool(drafted), told, wrong, counts)


def _moved(asked: Asked, prompt: list[int], num_tokens: int) -> Counts:
    """Ask once, and return by how much each counter rose; None where it is not told."""
    before = scrape(asked.address).values
    _ask(asked, prompt, num_tokens)
    is_idle_within(asked.address, IDLE_S)
    after = scrape(asked.address).values
    names = ("prefix_hit_tokens_total", "spec_drafted_total", "spec_accepted_total")
    return {name: _rise(before[name], after[name]) for name in names}


def _rise(before: float | None, after: float | None) -> float | None:
    return None if after is None else after - (before or 0.0)  # a counter may begin when first used


def _ask(asked: Asked, prompt: list[int], num_tokens: int) -> None:
    body: dict[str, object] = {
        "prompt": prompt, "max_tokens": num_tokens, "ignore_eos": True, "temperature": 0,
    }  # fmt: skip
    asked.served.post("/v1/completions", body, asked.deadline_s)


def _said(count: float | None) -> str:
    return "an untold number" if count is None else f"{count:.0f}"


def _check(name: str, passed: bool, told: str, wrong: str, counts: Counts) -> Check:
    reason = told if passed else f"{told}: {wrong}"
    return Check(stage="identity", name=name, passed=passed, reason=reason, values=dict(counts))
