"""Draws the plan of one cell of one repeat from one seed.

Arrivals of an open loop are a Poisson process: cumulative sums of exponential gaps, as absolute
offsets, so that a late request never shifts those behind it (coordinated omission: vLLM issue
#54101). A closed loop is a pool of prompts that its workers draw from in order.

A prompt is a seeded nonce and a window of a real token stream: natural text behind a beginning that
no other prompt has, so that no prefix cache can answer it (vLLM issue #52884).

Example: at 4 requests/s with a ramp of 1 s, a window of 6 s and a timeout of 30 s the arrivals
cover 37 s, about 148 requests, of which about 24 are judged.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np

from evals.performance.plan import NS_PER_S, Phase, Plan, PlannedRequest
from evals.study import CellSpec, Workload
from variants.errors import StudyError

NONCE_TOKENS = 8  # 64 distinct ids give 64**8 = 2.8e14 beginnings
MIN_DISTINCT_IDS = 64
FASTEST_TPOT_S = 0.0005  # no engine we measure decodes a token in less; sizes a closed loop's pool
MAX_POOL = 20_000  # prompts; at 32 bytes each the plan stays below a megabyte


def plan_cell(
    workload: Workload, cell: CellSpec, seed: int, repeat: int, stream: Sequence[int]
) -> Plan:
    """Draw one cell of one repeat.

    Raises:
        StudyError: the token stream is shorter than a prompt, or has too few distinct ids.
    """
    _check_stream(stream, workload.input_tokens)
    rng = np.random.default_rng([seed, zlib.crc32(cell.name.encode()), repeat])
    offsets = (
        _poisson_offsets(workload, cell, rng) if cell.is_open else _worker_starts(workload, cell)
    )
    return Plan(
        cell=cell.name,
        repeat=repeat,
        seed=seed,
        closed=cell.closed,
        rate_rps=cell.poisson,
        input_tokens=workload.input_tokens,
        output_tokens=workload.output_tokens,
        ramp_ns=_ns(workload.ramp_s),
        window_ns=_ns(workload.window_s),
        timeout_ns=_ns(workload.timeout_s),
        stream=tuple(stream),
        requests=_draw_requests(workload, offsets, stream, rng),
    )


def _check_stream(stream: Sequence[int], input_tokens: int) -> None:
    num_distinct = len(set(stream))
    if num_distinct < MIN_DISTINCT_IDS:
        raise StudyError(
            f"the token stream has {num_distinct} distinct ids; at least {MIN_DISTINCT_IDS} are "
            "needed so that prompts begin differently; give a longer text"
        )
    if len(stream) < input_tokens:
        raise StudyError(
            f"the token stream has {len(stream)} tokens and a prompt takes {input_tokens}; "
            "give a longer text"
        )


def _poisson_offsets(
    workload: Workload, cell: CellSpec, rng: np.random.Generator
) -> list[int | None]:
    """Cover ramp, window and a tail as long as the last judged request may take."""
    assert cell.poisson is not None
    total_s = workload.ramp_s + workload.window_s + workload.timeout_s
    mean = cell.poisson * total_s
    num_drawn = math.ceil(mean + 10 * math.sqrt(mean) + 10)  # 10 sigma: never too few
    arrivals_s = np.cumsum(rng.exponential(1 / cell.poisson, num_drawn))
    return [_ns(arrival) for arrival in arrivals_s[arrivals_s < total_s]]


def _worker_starts(workload: Workload, cell: CellSpec) -> list[int | None]:
    """Spread the workers' first requests over the ramp; the rest follow as workers get free."""
    assert cell.closed is not None
    total_s = workload.ramp_s + workload.window_s + workload.timeout_s
    num_rounds = math.ceil(total_s / (workload.output_tokens * FASTEST_TPOT_S))
    num_free = min(cell.closed * num_rounds, MAX_POOL)
    starts: list[int | None] = [
        _ns(workload.ramp_s * worker / cell.closed) for worker in range(cell.closed)
    ]
    return [*starts, *[None] * num_free]


def _draw_requests(
    workload: Workload,
    offsets: list[int | None],
    stream: Sequence[int],
    rng: np.random.Generator,
) -> tuple[PlannedRequest, ...]:
    num_nonce = min(NONCE_TOKENS, workload.input_tokens)
    nonces = rng.choice(sorted(set(stream)), size=(len(offsets), num_nonce)).tolist()
    last_start = len(stream) - (workload.input_tokens - num_nonce)
    starts = rng.integers(0, last_start + 1, size=len(offsets)).tolist()
    is_closed = None in offsets
    return tuple(
        PlannedRequest(
            index=index,
            offset_ns=offset,
            phase="free" if is_closed else _phase(workload, offset or 0),
            nonce=tuple(nonces[index]),
            start=starts[index],
        )
        for index, offset in enumerate(offsets)
    )


def _phase(workload: Workload, offset_ns: int) -> Phase:
    if offset_ns < _ns(workload.ramp_s):
        return "ramp"
    return "window" if offset_ns < _ns(workload.ramp_s + workload.window_s) else "tail"


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)
