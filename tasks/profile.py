"""Profile two served arms in interleaved turns, each cell recorded the moment it is measured."""

from functools import cache
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.endpoint import Endpoint as Address
from evals.performance.plan import Plan, plan_cell
from evals.performance.profile import Bench, Turn, draw_order, measure_cell
from evals.performance.sending import Sender
from evals.results import Arm, Cell
from evals.study import CellSpec
from evals.suites.tokenizer import tokenizer_of
from reports.recorder import BASELINE
from tasks.run import Run
from variants.engines.adapter import SERVED_NAME
from variants.engines.endpoint import Endpoint
from variants.prose import passages

TOLD = ("ttft_ms_p50", "tpot_ms_mean", "output_tokens_per_s")


@task(cache_policy=NO_CACHE, log_prints=True)
def profile(
    run: Run, variant: str, endpoints: dict[Arm, Endpoint], cells: tuple[CellSpec, ...], prefix: str
) -> None:
    """Measure every cell and repeat on both arms; what this run already holds is not repeated."""
    scratch = run.folder / "traces" / f"{prefix}{variant}"
    scratch.mkdir(parents=True, exist_ok=True)
    turns = draw_order([cell.name for cell in cells], run.study.workload.repeats, run.study.seed)
    with run.timeline.stage("profile"), Sender(scratch) as sender:
        for turn in turns:
            step = f"{prefix}cell.{turn.cell}.r{turn.repeat}.{turn.arm}"
            if run.recorder.find(variant, step) is None:
                bench = Bench(_address(endpoints[turn.arm]), sender, run.study.slo, scratch)
                measured = measure_cell(_plan(run, cells, turn), turn, bench).cell
                _store_traces(run, scratch, measured)
                run.recorder.keep(variant, step, measured)
                print(_told(variant, measured, turn.order + 1, len(turns)))


def _plan(run: Run, cells: tuple[CellSpec, ...], turn: Turn) -> Plan:
    cell = next(cell for cell in cells if cell.name == turn.cell)
    return plan_cell(run.study.workload, cell, run.study.seed, turn.repeat, token_stream(run))


def token_stream(run: Run) -> tuple[int, ...]:
    """Return the token ids of natural text that prompts are cut from."""
    return _tokens(run.artifact(BASELINE))


@cache
def _tokens(baseline: Path) -> tuple[int, ...]:
    text = "\n\n".join(passages("evaluation").values())
    return tuple(tokenizer_of(baseline).encode(text))


def _address(endpoint: Endpoint) -> Address:
    return Address(
        base_url=endpoint.url,
        model=SERVED_NAME,
        engine=endpoint.adapter.name,
        engine_version=endpoint.adapter.version,
    )


def _store_traces(run: Run, scratch: Path, cell: Cell) -> None:
    file = scratch / f"{cell.name}-r{cell.repeat}-{cell.arm}.traces.parquet"
    assert run.store.put_blob(file) == cell.traces_sha256, "the stored traces are those measured"
    file.unlink()


def _told(variant: str, cell: Cell, number: int, total: int) -> str:
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
        f"{variant}: cell {number} of {total}: {cell.name} repeat {cell.repeat} {cell.arm}: "
        f"{cell.num_ok} of {cell.num_offered} ok, {values}{invalid}"
    )
