"""Draws the plan of one cell of one repeat from one seed.

A prompt is a seeded nonce and a window of a real token stream: natural text behind a beginning that
no other prompt has, so that no prefix cache can answer it (vLLM issue #52884). Where the cell
shares a prefix, all its prompts begin with the same text, and the nonce follows. A closed loop is a
pool of prompts that its workers draw from in order.

Example: at 4 requests/s with a ramp of 1 s, a window of 6 s and a timeout of 30 s the arrivals
cover 37 s, about 148 requests, of which about 24 are judged.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from evals.workload.cell import CellSpec
from evals.workload.plan import NS_PER_S, Leave, Phase, Plan, PlannedRequest
from evals.workload.workload import Workload
from variants.errors import StudyError

NONCE_TOKENS = 8  # 64 distinct ids give 64**8 = 2.8e14 beginnings
MIN_DISTINCT_IDS = 64
FASTEST_TPOT_S = 0.0005  # no engine we measure decodes a token in less; sizes a closed loop's pool
MAX_POOL = 20_000  # prompts; at 32 bytes each the plan stays below a megabyte
NUM_REPEATED = 4  # prompts that a contaminated cell sends over and over
INTRUDERS = 8  # of so many prompts of a mixed cell one is long
LEAVE_NS = (1_000_000, 20_000_000)  # before the first token of all but the fastest engines


def plan_cell(
    workload: Workload, cell: CellSpec, seed: int, repeat: int, stream: Sequence[int]
) -> Plan:
    """Draw one cell of one repeat.

    Raises:
        StudyError: the token stream is shorter than a prompt, or has too few distinct ids.
    """
    longest = workload.long_input_tokens if cell.input != "short" else workload.input_tokens
    _check_stream(stream, longest)
    rng = np.random.default_rng([seed, zlib.crc32(cell.name.encode()), repeat])
    shared = _draw_shared(workload, cell, stream, rng)
    offsets = _draw_offsets(workload, cell, rng)
    return Plan(
        cell=cell.name,
        repeat=repeat,
        seed=seed,
        closed=cell.closed,
        is_streaming=cell.streaming,
        output_tokens=workload.output_of(cell),
        ramp_ns=_ns(workload.ramp_s),
        window_ns=_ns(workload.window_s),
        timeout_ns=_ns(workload.timeout_s),
        client_stall_ns=round(cell.client_stall_ms * 1e6),
        shared=tuple(shared),
        stream=tuple(stream),
        requests=_draw_requests(workload, cell, offsets, (len(shared), stream), rng),
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


def _draw_shared(
    workload: Workload, cell: CellSpec, stream: Sequence[int], rng: Generator
) -> list[int]:
    """Cut the text that all prompts begin with; it too begins like nothing else."""
    if cell.prefix == "low":
        return []
    size = int(workload.shared_share * workload.input_of(cell))
    nonce = _draw_nonces(rng, stream, 1, min(NONCE_TOKENS, size))[0]
    start = int(rng.integers(0, len(stream) - size + 1))
    return [*nonce, *stream[start : start + size - len(nonce)]]


def _draw_offsets(workload: Workload, cell: CellSpec, rng: Generator) -> list[int | None]:
    """Cover ramp, window and a tail as long as the last judged request may take."""
    total_s = workload.ramp_s + workload.window_s + workload.timeout_s
    if cell.arrivals is not None:
        return [_ns(offset_s) for offset_s in cell.arrivals.draw(rng, total_s)]
    assert cell.closed is not None, "a cell without arrivals is a closed loop"
    num_rounds = math.ceil(total_s / (workload.output_of(cell) * FASTEST_TPOT_S))
    starts = [_ns(workload.ramp_s * worker / cell.closed) for worker in range(cell.closed)]
    return [*starts, *[None] * min(cell.closed * num_rounds, MAX_POOL)]


def _draw_requests(
    workload: Workload,
    cell: CellSpec,
    offsets: Sequence[int | None],
    text: tuple[int, Sequence[int]],
    rng: Generator,
) -> tuple[PlannedRequest, ...]:
    num_shared, stream = text
    num = len(offsets)
    lengths = _draw_lengths(workload, cell, num, rng)
    num_nonce = min(NONCE_TOKENS, min(lengths, default=NONCE_TOKENS) - num_shared)
    num_distinct = NUM_REPEATED if cell.prompts == "repeated" else num
    nonces = _draw_nonces(rng, stream, num_distinct, num_nonce)
    places = rng.random(num_distinct)
    leaves = _draw_leaves(workload, cell, num, rng)
    requests = []
    for index, offset in enumerate(offsets):
        num_text = lengths[index] - num_shared - num_nonce
        requests.append(
            PlannedRequest(
                index=index,
                offset_ns=offset,
                phase=_phase(workload, offset or 0) if cell.is_open else "free",
                nonce=nonces[index % num_distinct],
                start=int(places[index % num_distinct] * (len(stream) - num_text + 1)),
                num_text=num_text,
                leave=leaves[index],
            )
        )
    return tuple(requests)


def _draw_lengths(workload: Workload, cell: CellSpec, num: int, rng: Generator) -> list[int]:
    usual = workload.input_of(cell)
    if cell.input != "mixed":
        return [usual] * num
    is_long = rng.permutation(np.arange(num) % INTRUDERS == 0)
    return [workload.long_input_tokens if long else usual for long in is_long]


def _draw_nonces(
    rng: Generator, stream: Sequence[int], num: int, size: int
) -> list[tuple[int, ...]]:
    ids = sorted(set(stream))
    return [tuple(row) for row in rng.choice(ids, size=(num, size)).tolist()]


def _draw_leaves(
    workload: Workload, cell: CellSpec, num: int, rng: Generator
) -> list[Leave | None]:
    if cell.leaves is None:
        return [None] * num
    does_leave = rng.random(num) < cell.leaves.share
    if cell.leaves.when == "mid-stream":
        reads = rng.integers(1, workload.output_of(cell), num).tolist()
        drawn = [Leave(after_reads=count) for count in reads]
    else:
        drawn = [Leave(after_ns=after) for after in rng.integers(*LEAVE_NS, num).tolist()]
    return [leave if leaves else None for leave, leaves in zip(drawn, does_leave, strict=True)]


def _phase(workload: Workload, offset_ns: int) -> Phase:
    if offset_ns < _ns(workload.ramp_s):
        return "ramp"
    return "window" if offset_ns < _ns(workload.ramp_s + workload.window_s) else "tail"


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)
