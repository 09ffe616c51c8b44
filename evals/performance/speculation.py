"""How much of what is drafted is accepted: by kind of text and by load, from the engine's counters.

Acceptance length is what a step yields, 1 + accepted / drafts (the model always adds one token of
its own); acceptance rate is accepted / drafted. A draft is verified by computing more tokens a
step, which is free while memory bounds it and costs once compute does (MagicDec, arXiv 2408.11049):
so each kind is asked at concurrency 1, at the target and at twice the target, and the same
requests are asked of the server without speculation.

Example: 16 drafts, 62 tokens drafted, 51 accepted: length 1 + 51 / 16 = 4.19, rate 51 / 62 = .82.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from evals.performance.endpoint import Endpoint
from evals.performance.scrape import is_idle_within, scrape
from evals.results import Speculated
from evals.suites.served_scores import Served
from evals.workload.data_classes import DataClass, requests
from evals.workload.workload import Workload
from variants.errors import MeasurementError

OUTPUT_TOKENS = 64  # at most; an answer may end by itself
FEWEST_REQUESTS = 8  # 8 x 64 tokens are some hundred drafts: the rate is then told to a few points
ROUNDS = 2  # each place in flight is filled so often at least
IDLE_S = 30.0
COUNTERS = ("spec_steps_total", "spec_drafted_total", "spec_accepted_total")


@dataclass(frozen=True, slots=True)
class Arm:
    """A server, and where its counters are read."""

    served: Served
    address: Endpoint
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What one arm did with a batch of requests."""

    output_tokens: int
    seconds: float
    counts: tuple[float | None, ...]  # as COUNTERS


def concurrencies(workload: Workload) -> tuple[int, ...]:
    """Return 1, the target and twice the target: the highest closed load that is judged.

    Raises:
        MeasurementError: no judged cell names a concurrency.
    """
    closed = [cell.closed for cell in workload.cells if cell.judged and cell.closed is not None]
    if not closed:
        raise MeasurementError(
            "no judged cell is closed, so no concurrency is the target; add {closed: N} to cells"
        )
    target = max(closed)
    return tuple(sorted({1, target, 2 * target}))


def measure(baseline: Arm, variant: Arm, kind: DataClass, concurrency: int) -> Speculated:
    """Ask both arms the same requests of one kind, one arm after the other.

    Raises:
        EngineError: a request was not answered.
        MeasurementError: counters cannot be read, or an answer does not say its tokens.
    """
    asks = requests(kind, max(FEWEST_REQUESTS, ROUNDS * concurrency))
    plain, drafted = (_ask_all(arm, asks, concurrency) for arm in (baseline, variant))
    return speculated(kind, concurrency, len(asks), (plain, drafted))


def speculated(
    kind: DataClass, concurrency: int, num_requests: int, arms: tuple[Asked, Asked]
) -> Speculated:
    """Reduce counts and seconds to the figures."""
    plain, drafted = arms
    steps, tokens, accepted = drafted.counts
    is_told = steps is not None and tokens is not None and accepted is not None
    return Speculated(
        data_class=kind,
        concurrency=concurrency,
        num_requests=num_requests,
        output_tokens=drafted.output_tokens,
        num_drafts=steps,
        drafted_tokens=tokens,
        accepted_tokens=accepted,
        acceptance_length=1 + accepted / steps
        if is_told and steps and accepted is not None
        else None,
        acceptance_rate=_share(accepted, tokens),
        output_tokens_per_s=drafted.output_tokens / drafted.seconds,
        baseline_tokens_per_s=plain.output_tokens / plain.seconds,
    )


def _share(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _ask_all(arm: Arm, asks: Sequence[str], concurrency: int) -> Asked:
    is_idle_within(arm.address, IDLE_S)
    before = scrape(arm.address).values
    started = time.monotonic()
    with ThreadPoolExecutor(concurrency) as pool:
        tokens = sum(pool.map(partial(_ask, arm), asks))
    seconds = time.monotonic() - started
    is_idle_within(arm.address, IDLE_S)
    after = scrape(arm.address).values
    counts = tuple(_rise(before[name], after[name]) for name in COUNTERS)
    return Asked(tokens, seconds, counts)


def _ask(arm: Arm, words: str) -> int:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": words}],
        "max_tokens": OUTPUT_TOKENS, "temperature": 0,
    }  # fmt: skip
    answer: dict[str, Any] = arm.served.post("/v1/chat/completions", body, arm.timeout_s)
    try:
        return int(answer["usage"]["completion_tokens"])
    except (KeyError, TypeError) as error:
        raise MeasurementError(f"an answer does not say its tokens: {answer!r:.200}") from error


def _rise(before: float | None, after: float | None) -> float | None:
    return None if after is None else after - (before or 0.0)
