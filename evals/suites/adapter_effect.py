"""Does an adapter change what is served, and by as much as it should?

An engine that drops an adapter's layers says that it is loaded, answers 200, and serves the base
(vllm#55193, #41754, #34591). So a probe is scored with and without it. The effect d is the
difference of log-probabilities per position; the null arm is the base asked twice. The strength is
the slope of d on the effect e that transformers computes in fp32 on the unquantized base,
sum(d e) / sum(e e): noise that knows nothing of e leaves it where it is, while it would swell a
mean of |d|.

Measured in process on SmolLM2-135M (rank 8 on q, v and up, 914 positions): .99 on the base in bf16,
.97 in INT8, .98 in FP8, and .77 in INT4 with one scale per channel, which ruins this model.

Example: e = (1, -1, 2), d = (.5, -.5, 1): slope (.5 + .5 + 2) / 6 = .5, half the effect.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evals.results import Check
from evals.suites.served_scores import Served, prompt_logprobs

NULL_MULTIPLE = 3.0  # as the identity checks: of the null arm's own mean gap
# The least mistake of scaling to be caught is a factor of two (a rank taken for the next one, an
# adapter applied twice). Its square root is as far, in ratio, from right as from wrong.
MIN_STRENGTH = 2**-0.5
MAX_STRENGTH = 2**0.5
Z = 1.645  # one-sided 95 %
EFFECT, STRENGTH = "adapter-effect-", "adapter-strength-"  # begin the names of the looks
Scores = Sequence[Sequence[float]]  # per canary, per position from the second on; nats


class AskedAs:
    """A server, asked for one model by name whatever is asked."""

    def __init__(self, served: Served, model: str) -> None:
        """Keep the name."""
        self._served, self._model = served, model

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        """Return the JSON of a POST."""
        return self._served.post(path, {**body, "model": self._model}, timeout_s)


def probe(served: Served, model: str, tokens: list[list[int]], deadline_s: float) -> Scores:
    """Score every probe under one model's name."""
    return [prompt_logprobs(AskedAs(served, model), row, deadline_s) for row in tokens]


def check_effect(name: str, adapted: Scores, base: Scores, again: Scores) -> Check:
    """Fail an adapter whose answers differ from the base's no more than the base's own do."""
    effect, null = _differences(adapted, base), _differences(again, base)
    mean, noise = _mean_size(effect), _mean_size(null)
    passed = math.isfinite(mean) and mean > NULL_MULTIPLE * noise
    told = (
        f"{name} moves log-probabilities by {mean:.4f} nats on average over {len(effect)} "
        f"positions; the base asked twice by {noise:.4f}"
    )
    return Check(
        stage="identity",
        name=f"{EFFECT}{name}",
        passed=passed,
        reason=told
        if passed
        else f"{told}: the adapter has no effect here; its layers are ignored",
        values={"mean_effect_nats": _finite(mean), "mean_null_nats": _finite(noise)},
    )


def check_strength(name: str, adapted: Scores, base: Scores, expected: Scores) -> Check:
    """Fail an adapter whose effect has shrunk, or grown, against the one on the unquantized base.

    `expected` is the effect itself, not scores. The bounds are one-sided, at 95 %.
    """
    seen, asked = _differences(adapted, base), [one for row in expected for one in row]
    power = math.fsum(one * one for one in asked)
    if not all(map(math.isfinite, seen + asked)) or power == 0 or len(seen) != len(asked):
        reason = f"{name}: {len(seen)} positions against {len(asked)}, not all finite, or no effect"
        return _strength(name, False if power else None, reason, {})
    slope, error = _slope(seen, asked, power)
    lower, upper = slope - Z * error, slope + Z * error
    words = (
        f"{name} has {slope:.2f} [{lower:.2f}, {upper:.2f}] of its effect on the unquantized base "
        f"(limits {MIN_STRENGTH:.2f} to {MAX_STRENGTH:.2f}, {len(seen)} positions)"
    )
    values = {"strength": slope, "lower": lower, "upper": upper, "num_positions": float(len(seen))}
    return _strength(name, _judged(lower, upper), words, values)


def _judged(lower: float, upper: float) -> bool | None:
    """Pass inside the limits, fail outside; None: these positions cannot tell."""
    if lower >= MIN_STRENGTH and upper <= MAX_STRENGTH:
        return True
    return False if upper < MIN_STRENGTH or lower > MAX_STRENGTH else None


def _slope(seen: list[float], asked: list[float], power: float) -> tuple[float, float]:
    """Regress through the origin; return the slope and its standard error."""
    slope = math.fsum(d * e for d, e in zip(seen, asked, strict=True)) / power
    left = math.fsum((d - slope * e) ** 2 for d, e in zip(seen, asked, strict=True))
    return slope, math.sqrt(left / max(1, len(seen) - 1) / power)


def _strength(name: str, passed: bool | None, reason: str, values: Mapping[str, float]) -> Check:
    return Check(
        stage="identity",
        name=f"{STRENGTH}{name}",
        passed=passed,
        reason=reason,
        values=dict(values),
    )


def effect_of(adapted: Scores, base: Scores) -> Scores:
    """Return what an adapter changes, per position."""
    return [
        [one - other for one, other in zip(row, rest, strict=True)]
        for row, rest in zip(adapted, base, strict=True)
    ]


def _differences(one: Scores, other: Scores) -> list[float]:
    return [value for row in effect_of(one, other) for value in row]


def _mean_size(values: list[float]) -> float:
    return math.fsum(map(abs, values)) / len(values)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
