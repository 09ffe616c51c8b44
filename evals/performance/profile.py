"""One arm's cell from plan to record, and the order in which cells take turns.

The arms of a comparison alternate so that a drift of the machine meets both: each cell of each
repeat is a pair of turns, baseline first in half of a cell's repeats, and the profile begins and
ends with the baseline.

Example: `draw_order({"closed-1": 2}, seed)` is baseline, variant, variant, baseline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.performance.answer_check import checked
from evals.performance.client.sending import Sender
from evals.performance.endpoint import Endpoint
from evals.performance.engine_metrics import metric_map, over_window
from evals.performance.metrics import Window, summarize
from evals.performance.scrape import (
    EngineSampler,
    is_idle_within,
    recovery_ms,
    reset_prefix_cache,
    scrape,
)
from evals.performance.telemetry import Reader, Taken, TelemetrySampler, energy_per_token, taken
from evals.performance.tenants import tenant_uses
from evals.performance.trace_file import write_traces
from evals.performance.validity import CellEvidence, find_faults, is_client_fault
from evals.results import Arm, Cell, Trace
from evals.workload.plan import Plan
from evals.workload.slo import Slo

IDLE_DEADLINE_S = 10.0
FIRST_ARMS: tuple[Arm, Arm] = ("baseline", "variant")


@dataclass(frozen=True, slots=True)
class Turn:
    """One cell of one repeat on one arm, and its place in the order."""

    order: int
    cell: str
    repeat: int
    arm: Arm


@dataclass(frozen=True, slots=True)
class Bench:
    """What measures: one per engine that is up; the sender may be shared."""

    endpoint: Endpoint
    sender: Sender
    slo: Slo
    directory: Path
    reader: Reader | None = None  # of processes or devices


class MeasuredCell(NamedTuple):
    """A cell, and the traces it was computed from."""

    cell: Cell
    traces: tuple[Trace, ...]


def draw_order(repeats: Mapping[str, int], seed: int) -> tuple[Turn, ...]:
    """Draw the order of all turns of a profile; it begins and ends with the baseline."""
    assert repeats and min(repeats.values()) >= 2, "the baseline stands at both ends of two repeats"
    rng = np.random.default_rng(seed)
    turns = _draw(repeats, rng)
    while not turns[0].arm == turns[-1].arm == "baseline":
        turns = _draw(repeats, rng)
    return turns


def _draw(repeats: Mapping[str, int], rng: np.random.Generator) -> tuple[Turn, ...]:
    """Draw block after block; a cell with fewer repeats is in the first blocks."""
    is_reversed = {
        cell: rng.permutation(np.arange(count) % 2 == 1) for cell, count in repeats.items()
    }
    turns: list[Turn] = []
    for repeat in range(max(repeats.values())):
        cells = [cell for cell, count in repeats.items() if repeat < count]
        for cell in rng.permutation(np.array(cells, dtype=object)):
            arms = FIRST_ARMS[:: -1 if is_reversed[cell][repeat] else 1]
            turns += [Turn(len(turns) + i, str(cell), repeat, arm) for i, arm in enumerate(arms)]
    return tuple(turns)


def spare_turns(
    measured: Sequence[Cell], repeats: Mapping[str, int], seed: int
) -> tuple[Turn, ...]:
    """Draw one more repeat of every cell of `repeats` that has fewer measured ones than it should.

    Measured: both arms are recorded, and neither was spoilt by the client or the schedule. What
    the server spoilt is a result, and asking again until it does better would favour it. Half a
    repeat is never completed: its other arm would meet another machine. All stay recorded.
    """
    wanting = [
        name for name, count in repeats.items() if len(_measured_repeats(measured, name)) < count
    ]
    start = 1 + max(cell.order for cell in measured)
    repeat = 1 + max(cell.repeat for cell in measured)
    rng = np.random.default_rng([seed, repeat])
    turns: list[Turn] = []
    for name in wanting:
        arms = FIRST_ARMS[:: rng.choice((1, -1))]
        turns += [Turn(start + len(turns) + i, name, repeat, arm) for i, arm in enumerate(arms)]
    return tuple(turns)


def _measured_repeats(measured: Sequence[Cell], name: str) -> set[int]:
    sound = {
        (cell.repeat, cell.arm)
        for cell in measured
        if cell.name == name and not any(map(is_client_fault, cell.invalid))
    }
    return {repeat for repeat, _ in sound if {(repeat, arm) for arm in FIRST_ARMS} <= sound}


def measure_cell(plan: Plan, turn: Turn, bench: Bench) -> MeasuredCell:
    """Measure one turn and write its traces under `bench.directory`.

    Raises:
        MeasurementError: the sender failed, or the endpoint does not answer before the start.
    """
    assert (plan.cell, plan.repeat) == (turn.cell, turn.repeat), "a turn is sent its own plan"
    is_idle = is_idle_within(bench.endpoint, IDLE_DEADLINE_S)
    reset_prefix_cache(bench.endpoint)
    kv_usage = scrape(bench.endpoint).values["kv_usage"]
    with EngineSampler(bench.endpoint) as sampler, TelemetrySampler(bench.reader) as telemetry:
        sent = bench.sender.send(bench.endpoint, plan)
    sent = replace(sent, traces=checked(sent.traces, plan))
    recovery = recovery_ms(bench.endpoint, sent.over_ns, kv_usage)
    families = metric_map(bench.endpoint.engine, bench.endpoint.engine_version)
    engine = over_window(sampler.samples, families, sent.window_start_ns, sent.window_end_ns)
    took = Taken()
    if bench.reader is not None:
        took = taken(telemetry.readings, sent.window_start_ns, sent.window_end_ns)
    evidence = CellEvidence(plan, sent, bench.slo, engine, is_idle, recovery, took)
    path = bench.directory / f"{turn.cell}-r{turn.repeat}-{turn.arm}.traces.parquet"
    return MeasuredCell(_to_cell(turn, evidence, write_traces(path, sent.traces)), sent.traces)


def _to_cell(turn: Turn, evidence: CellEvidence, traces_sha256: str) -> Cell:
    sent, plan = evidence.sent, evidence.plan
    window = Window(sent.window_start_ns, sent.window_end_ns, plan.is_open, evidence.slo)
    metrics = summarize(sent.traces, window) | {"recovery_ms": evidence.recovery_ms}
    return Cell(
        name=turn.cell,
        arm=turn.arm,
        repeat=turn.repeat,
        order=turn.order,
        num_offered=len(evidence.judged),
        num_ok=len(evidence.ok),
        window_s=sent.window_s,
        metrics=metrics | _taken(evidence, metrics["output_tokens_per_s"]),
        engine=dict(evidence.engine.values),
        tenants=tenant_uses(sent.traces, plan, window),
        invalid=find_faults(evidence),
        traces_sha256=traces_sha256,
    )


def _taken(evidence: CellEvidence, tokens_per_s: float | None) -> dict[str, float | None]:
    """Give what the engine took; where there is no energy, there is none per token either."""
    values = evidence.taken.values
    num_tokens = None if tokens_per_s is None else tokens_per_s * evidence.sent.window_s
    per_token = energy_per_token(values, num_tokens)
    return {**values, **({} if per_token is None else {"energy_j_per_token": per_token})}
