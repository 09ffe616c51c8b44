"""Profile two served arms in interleaved turns, each cell recorded the moment it is measured."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.client.sending import Sender
from evals.performance.endpoint import Endpoint as Address
from evals.performance.latency import LEFT
from evals.performance.profile import Bench, Turn, draw_order, measure_cell, spare_turns
from evals.performance.readers.nvml import NvmlReader, visible_devices
from evals.performance.readers.process import ProcessReader
from evals.performance.telemetry import Reader
from evals.results import Arm, Cell
from evals.suites.tokenizer import tokenizer_of
from evals.workload.cell import CellSpec
from evals.workload.plan import Plan
from evals.workload.planning import plan_cell
from reports.kept.recorder import BASELINE
from tasks.run import Run
from tasks.serve import as_verdict
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError, QualificationError
from variants.prose import passages

TOLD = ("ttft_ms_p50", "tpot_ms_mean", "output_tokens_per_s")


@task(cache_policy=NO_CACHE, log_prints=True)
def profile(
    run: Run, variant: str, endpoints: dict[Arm, Endpoint], cells: tuple[CellSpec, ...], prefix: str
) -> None:
    """Measure every cell and repeat on both arms; what this run already holds is not repeated."""
    workload, seed = run.study.workload, run.study.seed
    scratch = run.folder / "traces" / f"{prefix}{variant}"
    scratch.mkdir(parents=True, exist_ok=True)
    names = {cell.name for cell in cells}
    repeats = {name: n for name, n in workload.repeats_by_cell().items() if name in names}
    turns = draw_order(repeats, seed)
    spared = {cell.name: repeats[cell.name] for cell in cells if not cell.client_stall_ms}
    measured: list[Cell] = []
    with run.timeline.stage("profile"), Sender(scratch) as sender:
        bench = _Bench(run, variant, endpoints, cells, prefix, sender, scratch)
        measured += bench.measure_all(turns)
        for _ in range(workload.spare_repeats):
            turns = spare_turns(measured, spared, seed)
            measured += bench.measure_all(turns)


@dataclass(frozen=True, slots=True)
class _Bench:
    """What all turns of one profile share."""

    run: Run
    variant: str
    endpoints: dict[Arm, Endpoint]
    cells: tuple[CellSpec, ...]
    prefix: str
    sender: Sender
    scratch: Path

    def measure_all(self, turns: Sequence[Turn]) -> list[Cell]:
        """Measure the turns this run does not hold yet.

        Of a pair that a killed run left half, the other half would be measured hours later on
        another process: it is left half, and a spare repeat takes its place.
        """
        held = {turn: self._held(turn) for turn in turns}
        whole = {(turn.cell, turn.repeat) for turn, cell in held.items() if cell is None}
        half = {(turn.cell, turn.repeat) for turn, cell in held.items() if cell is not None} & whole
        cells = [cell for cell in held.values() if cell is not None]
        wanted = [t for t in turns if held[t] is None and (t.cell, t.repeat) not in half]
        return cells + [self.measure(turn) for turn in wanted]

    def _held(self, turn: Turn) -> Cell | None:
        found = self.run.recorder.find(self.variant, self._step(turn))
        return found if isinstance(found, Cell) else None

    def _step(self, turn: Turn) -> str:
        return f"{self.prefix}cell.{turn.cell}.r{turn.repeat}.{turn.arm}"

    def measure(self, turn: Turn) -> Cell:
        """Measure one turn and record it."""
        address = address_of(self.endpoints[turn.arm])
        reader = reader_of(self.endpoints[turn.arm], self.run.study.target)
        bench = Bench(address, self.sender, self.run.study.slo, self.scratch, reader)
        try:
            cell, traces = measure_cell(_plan(self.run, self.cells, turn), turn, bench)
        except MeasurementError as error:
            raise self._blamed(turn, error) from error
        store_traces(self.run, self.scratch, cell)
        self.run.recorder.keep(self.variant, self._step(turn), cell)
        print(_told(self.variant, cell))
        outcomes = {trace.outcome for trace in traces if trace.is_judged} - set(LEFT)
        if cell.num_offered and not cell.num_ok and outcomes != {"timeout"}:  # those were too slow
            words = next((trace.error for trace in traces if trace.error), "without a word")
            told = f"no request of {turn.cell} was answered: {words}"
            raise self._blamed(turn, MeasurementError(told))
        return cell

    def _blamed(self, turn: Turn, error: MeasurementError) -> QualificationError:
        return as_verdict(turn.arm, self.endpoints[turn.arm], turn.cell, error)


def _plan(run: Run, cells: tuple[CellSpec, ...], turn: Turn) -> Plan:
    cell = next(cell for cell in cells if cell.name == turn.cell)
    plan = plan_cell(run.study.workload, cell, run.study.seed, turn.repeat, token_stream(run))
    return plan if plan.ask == "text" else plan.spelled(_pieces(run.artifact(BASELINE)))


def token_stream(run: Run) -> tuple[int, ...]:
    """Return the token ids of natural text that prompts are cut from."""
    return _tokens(run.artifact(BASELINE))


@cache
def _tokens(baseline: Path) -> tuple[int, ...]:
    text = "\n\n".join(passages("evaluation").values())
    return tuple(tokenizer_of(baseline).encode(text))


@cache
def _pieces(baseline: Path) -> tuple[str, ...]:
    """Spell the stream token by token, for prompts that are sent as words."""
    tokenizer = tokenizer_of(baseline)
    return tuple(tokenizer.decode([token]) for token in _tokens(baseline))


def address_of(endpoint: Endpoint) -> Address:
    """Say where an engine is sent to."""
    return Address(
        base_url=endpoint.url,
        model=endpoint.served_name,
        engine=endpoint.adapter.name,
        engine_version=endpoint.adapter.version,
    )


def reader_of(endpoint: Endpoint, target: str) -> Reader:
    """Return what looks at the engine: its GPU, or its processes where it has none."""
    if target == "cpu":
        return ProcessReader(endpoint.process.members)
    size = endpoint.reported_config().get("tensor_parallel_size", "")
    return NvmlReader(visible_devices(os.environ, int(size) if size.isdecimal() else 1))


def store_traces(run: Run, scratch: Path, cell: Cell) -> None:
    """Move a cell's traces into the store, under the digest that the cell names."""
    file = scratch / f"{cell.name}-r{cell.repeat}-{cell.arm}.traces.parquet"
    stored = run.store.put_blob(file)
    assert stored == cell.traces_sha256, "the stored traces are those measured"
    file.unlink()


def _told(variant: str, cell: Cell) -> str:
    ttft_ms, tpot_ms, rate = (cell.metrics.get(name) for name in TOLD)
    values = " ".join(
        f"{name} {value:.1f} {unit}"
        for name, value, unit in (
            ("TTFT", ttft_ms, "ms"),
            ("TPOT", tpot_ms, "ms"),
            ("output", rate, "tokens/s"),
        )
        if value is not None
    )
    invalid = f" INVALID: {'; '.join(cell.invalid)}" if cell.invalid else ""
    return (
        f"{variant}: turn {cell.order + 1}: {cell.name} repeat {cell.repeat} {cell.arm}: "
        f"{cell.num_ok} of {cell.num_offered} ok, {values}{invalid}"
    )
