"""Is an unloaded server fast enough to be worth a profile?

A few single requests of the workload's size, one after the other: a server that misses the SLO
with nothing else to do cannot meet it under load, so none of its cells needs to be measured. This
only ever stops; it never promotes. The first token must come before the study's deadline.
"""

import time
from collections.abc import Sequence

from evals.results import Check
from evals.statistics import exact_interval
from evals.study import Study
from evals.suites.served_scores import Served

PROBES = 5  # 0 of 5: the exact 95 % upper bound on attainment is 45 %
DECODED_TOKENS = 9


def check_pace(served: Served, study: Study, stream: Sequence[int], look: int = 0) -> Check:
    """Time the probes and bound the attainment that is possible without load.

    Each `look` has prompts of its own, which no prefix cache holds from the look before.
    """
    pairs = [_probe(served, study, stream, look * PROBES + index) for index in range(PROBES)]
    good = sum(ttft <= study.slo.ttft_ms and tpot <= study.slo.tpot_ms for ttft, tpot in pairs)
    bound = exact_interval(good, PROBES, 0.95)
    ttft_ms, tpot_ms = (sorted(values)[PROBES // 2] for values in zip(*pairs, strict=True))
    passed = bound.upper >= study.slo.attainment
    return Check(
        stage="pace",
        name="unloaded",
        passed=passed,
        reason=(
            f"unloaded, {good} of {PROBES} requests met the SLO (TTFT {study.slo.ttft_ms:g} ms, "
            f"TPOT {study.slo.tpot_ms:g} ms); median TTFT {ttft_ms:.0f} ms, TPOT {tpot_ms:.1f} ms"
            + ("" if passed else f"; attainment is at most {bound.upper:.0%} (95 % bound), "
               f"{study.slo.attainment:.0%} asked: load can only make it worse")
        ),
        values={"ttft_ms_p50": ttft_ms, "tpot_ms_p50": tpot_ms, "num_good": good},
    )  # fmt: skip


def _probe(served: Served, study: Study, stream: Sequence[int], index: int) -> tuple[float, float]:
    """Return TTFT and TPOT in ms of one request, from a one-token and a nine-token answer."""
    size = study.workload.input_tokens
    start = (2 * index * size) % max(1, len(stream) - 2 * size)
    deadline_s = study.first_token_deadline_s
    first = _timed(served, stream[start : start + size], 1, deadline_s)
    whole = _timed(served, stream[start + size : start + 2 * size], DECODED_TOKENS, 4 * deadline_s)
    return first, max(0.0, whole - first) / (DECODED_TOKENS - 1)


def _timed(served: Served, prompt: Sequence[int], num_tokens: int, deadline_s: float) -> float:
    body: dict[str, object] = {
        "prompt": list(prompt), "max_tokens": num_tokens, "min_tokens": num_tokens,
        "ignore_eos": True, "temperature": 0,
    }  # fmt: skip
    started = time.monotonic_ns()
    served.post("/v1/completions", body, deadline_s)
    return (time.monotonic_ns() - started) / 1e6
