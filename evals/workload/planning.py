"""Draws the plan of one cell of one repeat from one seed.

Example: at 4 requests/s with a ramp of 1 s, a window of 6 s and a timeout of 30 s the arrivals
cover 37 s, about 148 requests, of which about 24 are judged.
"""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from evals.workload.asks import NUM_VARIETIES
from evals.workload.cell import CellSpec
from evals.workload.drawing import Drawn, draw
from evals.workload.plan import NS_PER_S, Leave, Phase, Plan, PlannedRequest
from evals.workload.prompts import PrefixCache, Texts
from evals.workload.workload import Workload

LEAVE_NS = (1_000_000, 20_000_000)  # before the first token of all but the fastest engines


def plan_cell(
    workload: Workload, cell: CellSpec, seed: int, repeat: int, stream: Sequence[int]
) -> Plan:
    """Draw one cell of one repeat.

    Raises:
        StudyError: the token stream is shorter than a prompt, or has too few distinct ids; or a
            log cannot be replayed.
    """
    rng = np.random.default_rng([seed, zlib.crc32(cell.name.encode()), repeat])
    texts = Texts(stream, rng)
    drawn = draw(workload, cell, texts, rng)
    requests = _requests(workload, cell, drawn, rng)
    if cell.prompts == "fresh":
        requests = _with_known(requests, workload, PrefixCache(texts.drawn))
    return Plan(
        cell=cell.name,
        repeat=repeat,
        seed=seed,
        closed=cell.closed,
        is_streaming=cell.streaming,
        ask=cell.asks,
        ramp_ns=_ns(workload.ramp_s),
        window_ns=_ns(workload.window_s),
        timeout_ns=_ns(workload.timeout_of(cell)),
        client_stall_ns=round(cell.client_stall_ms * 1e6),
        stream=tuple(stream),
        texts=tuple(texts.drawn),
        tenants=workload.tenants if cell.tenants == "mixed" else (),
        requests=requests,
    )


def _requests(
    workload: Workload, cell: CellSpec, drawn: Sequence[Drawn], rng: Generator
) -> tuple[PlannedRequest, ...]:
    """Draw who asks, what for, and who leaves."""
    num = len(drawn)
    varieties = rng.integers(0, NUM_VARIETIES, num).tolist() if cell.asks != "text" else [0] * num
    leaves = _leaves(cell, drawn, rng)
    tenants = _tenants(workload, cell, num, rng)
    adapters = _adapters(workload, cell, num, rng)
    return tuple(
        PlannedRequest(
            index=index,
            offset_ns=None if one.offset_s is None else _ns(one.offset_s),
            phase=_phase(workload, one.offset_s or 0.0) if cell.is_open else "free",
            texts=one.prompt,
            output_tokens=one.output_tokens,
            variety=varieties[index],
            tenant=tenants[index],
            adapter=adapters[index],
            leave=leaves[index],
        )
        for index, one in enumerate(drawn)
    )


def _tenants(workload: Workload, cell: CellSpec, num: int, rng: Generator) -> list[int | None]:
    if cell.tenants == "one":
        return [None] * num
    shares = np.array([tenant.share for tenant in workload.tenants])
    return [*rng.choice(len(shares), size=num, p=shares / shares.sum()).tolist()]


def _adapters(workload: Workload, cell: CellSpec, num: int, rng: Generator) -> list[str | None]:
    if cell.adapters == "none":
        return [None] * num
    names = (None, *workload.adapters)
    return [names[place] for place in rng.integers(0, len(names), num)]


def _leaves(cell: CellSpec, drawn: Sequence[Drawn], rng: Generator) -> list[Leave | None]:
    num = len(drawn)
    if cell.leaves is None:
        return [None] * num
    does_leave = rng.random(num) < cell.leaves.share
    if cell.leaves.when == "mid-stream":
        counts = rng.integers(1, [max(2, one.output_tokens) for one in drawn]).tolist()
        planned = [Leave(after_tokens=count) for count in counts]
    else:
        planned = [Leave(after_ns=after) for after in rng.integers(*LEAVE_NS, num).tolist()]
    return [leave if leaves else None for leave, leaves in zip(planned, does_leave, strict=True)]


def _with_known(
    requests: Sequence[PlannedRequest], workload: Workload, cache: PrefixCache
) -> tuple[PlannedRequest, ...]:
    """Note what a warm cache will know: each tenant that salts and each adapter has its own."""

    def owner(request: PlannedRequest) -> tuple[int | None, str | None]:
        tenant = request.tenant
        is_own = tenant is not None and workload.tenants[tenant].has_own_cache
        return tenant if is_own else None, request.adapter

    known = [cache.ask(request.texts, owner(request)) for request in requests]
    return tuple(
        request.model_copy(update={"num_known": num}) if num else request
        for request, num in zip(requests, known, strict=True)
    )


def _phase(workload: Workload, offset_s: float) -> Phase:
    if offset_s < workload.ramp_s:
        return "ramp"
    return "window" if offset_s < workload.ramp_s + workload.window_s else "tail"


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)
