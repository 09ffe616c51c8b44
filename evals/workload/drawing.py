"""When each request of a cell comes and what its prompt is made of.

Where the cell shares a prefix, all its prompts begin with the same text. A closed loop is a pool of
prompts that its workers draw from in order. The turns of a conversation follow each other by the
clock, and each begins with all before it; the answers in between are stood for by text of the
stream, so that both arms are sent the same.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from evals.workload.cell import CellSpec
from evals.workload.prompts import Texts
from evals.workload.replay import Replay, Segment
from evals.workload.workload import Workload

FASTEST_TPOT_S = 0.0005  # no engine we measure decodes a token in less; sizes a closed loop's pool
FEWEST_TOKENS = 8  # of an answer that ends when it likes
MOST_TOKENS_PER_S = 100_000  # nor does one server's API send more to one client
MAX_POOL = 20_000  # prompts; a plan then takes some tens of megabytes
NUM_REPEATED = 4  # prompts that a contaminated cell sends over and over
INTRUDERS = 8  # of so many prompts of a mixed cell one is long


@dataclass(frozen=True, slots=True)
class Drawn:
    """When a request is due, its prompt, and how long its answer is."""

    offset_s: float | None
    prompt: tuple[int, ...]
    output_tokens: int


def draw(workload: Workload, cell: CellSpec, texts: Texts, rng: Generator) -> list[Drawn]:
    """Cover ramp, window and a tail as long as the last judged request may take."""
    total_s = workload.ramp_s + workload.window_s + workload.timeout_of(cell)
    if cell.replay is not None:
        return _replayed(cell.replay, total_s, texts)
    if cell.turns > 1:
        return _conversations(workload, cell, total_s, texts, rng)
    offsets_s = _offsets(workload, cell, total_s, rng)
    prompts = _prompts(workload, cell, len(offsets_s), texts, rng)
    num_output = workload.output_of(cell)
    return [Drawn(at, prompt, num_output) for at, prompt in zip(offsets_s, prompts, strict=True)]


def _offsets(
    workload: Workload, cell: CellSpec, total_s: float, rng: Generator
) -> list[float | None]:
    if cell.arrivals is not None:
        return [*cell.arrivals.draw(rng, total_s).tolist()]
    assert cell.closed is not None, "a cell without arrivals is a closed loop"
    num_tokens = workload.output_of(cell) if cell.asks == "text" else FEWEST_TOKENS
    num_rounds = math.ceil(total_s / (num_tokens * FASTEST_TPOT_S))
    starts = [workload.ramp_s * worker / cell.closed for worker in range(cell.closed)]
    num_served = math.ceil(total_s * MOST_TOKENS_PER_S / num_tokens)
    return [*starts, *[None] * min(cell.closed * num_rounds, num_served, MAX_POOL)]


def _prompts(
    workload: Workload, cell: CellSpec, num: int, texts: Texts, rng: Generator
) -> list[tuple[int, ...]]:
    """Give each request its texts: one, behind the shared one where there is one."""
    usual = workload.input_of(cell)
    shared = texts.draw([workload.shared_of(cell)]) if cell.prefix == "high" else []
    sizes = [usual] * (NUM_REPEATED if cell.prompts == "repeated" else num)
    if cell.input == "mixed":
        is_long = rng.permutation(np.arange(len(sizes)) % INTRUDERS == 0)
        sizes = [workload.long_input_tokens if long else usual for long in is_long]
    own = texts.draw([size - sum(texts.drawn[place].size for place in shared) for size in sizes])
    return [(*shared, own[index % len(own)]) for index in range(num)]


def _conversations(
    workload: Workload, cell: CellSpec, total_s: float, texts: Texts, rng: Generator
) -> list[Drawn]:
    """Begin as many conversations as give the cell's rate of turns, some before the start."""
    assert cell.arrivals is not None, "turns need arrivals"
    early_s = (cell.turns - 1) * workload.think_s
    begun = cell.arrivals.draw(rng, early_s + total_s) - early_s
    begun = begun[rng.random(len(begun)) < 1 / cell.turns]
    shared = texts.draw([workload.shared_of(cell)]) if cell.prefix == "high" else []
    num_first = workload.input_of(cell) - sum(texts.drawn[place].size for place in shared)
    drawn = []
    for begin_s in begun.tolist():
        own = texts.draw([num_first, *[workload.turn_tokens] * (cell.turns - 1)])
        for turn in range(cell.turns):
            at_s = begin_s + turn * workload.think_s
            if 0 <= at_s < total_s:
                prompt = (*shared, *own[: turn + 1])
                drawn.append(Drawn(at_s, prompt, workload.output_of(cell)))
    return sorted(drawn, key=lambda one: one.offset_s or 0.0)


def _replayed(replay: Replay, total_s: float, texts: Texts) -> list[Drawn]:
    """Send a log's times and lengths; segments that it says are equal are one text."""
    by_segment: dict[Segment, int] = {}
    drawn = []
    for logged in replay.requests(total_s):
        num_left, prompt = logged.input_tokens, []
        for number, num_tokens in logged.segments:
            sent = Segment(number, min(num_tokens, num_left))
            if not sent.num_tokens:
                break
            if sent not in by_segment:
                by_segment[sent] = texts.draw([sent.num_tokens])[0]
            prompt.append(by_segment[sent])
            num_left -= sent.num_tokens
        if num_left:
            prompt += texts.draw([num_left])
        drawn.append(Drawn(logged.at_s, tuple(prompt), logged.output_tokens))
    return drawn
