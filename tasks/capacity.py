"""Find how much load a served variant bears, each cell recorded the moment it is measured."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.gates.judges.attainment import bounded_attainment
from evals.performance.capacity import SWEEP, Capacity, seen_rates
from evals.performance.client.sending import Sender
from evals.performance.knee import Level
from evals.performance.profile import Bench, Turn, measure_cell
from evals.performance.search import highest_rate
from evals.performance.validity import SATURATED, is_client_fault
from evals.results import Arm, Cell
from evals.statistics import Interval
from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from reports.kept.recorder import BASELINE, CAPACITY
from tasks.profile import address_of, reader_of, store_traces, token_stream
from tasks.run import Run
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError

FRESH = 1000  # repeats from here on confirm: other arrivals, other prompts
FEWEST_PLANNED = 4  # requests due in a window; below, a rate cannot be shown
FASTEST = 10_000.0  # requests/s that a cell may ask
MAX_SPARE = 3  # repeats that the client spoilt are measured again, so often at most


@task(cache_policy=NO_CACHE, log_prints=True)
def find_capacity(run: Run, variant: str, endpoint: Endpoint, start: float) -> Capacity:
    """Sweep concurrency, then search the highest rate inside the SLO."""
    scratch = run.folder / "traces" / f"capacity-{variant}"
    scratch.mkdir(parents=True, exist_ok=True)
    with run.timeline.stage("capacity"), Sender(scratch) as sender:
        looks = _Looks(run, variant, endpoint, sender, scratch)
        levels = looks.sweep()
        found = highest_rate(looks.attainment, run.study.slo.attainment, start)
    return Capacity(
        variant=variant,
        rate=found.rate,
        target=run.study.slo.attainment,
        seen=seen_rates(found),
        levels=levels,
    )


@dataclass(slots=True)
class _Looks:
    """Measures one endpoint again and again."""

    run: Run
    variant: str
    endpoint: Endpoint
    sender: Sender
    scratch: Path
    num_measured: int = field(default=0, init=False)

    def sweep(self) -> tuple[Level, ...]:
        """Measure one concurrency after another, up to the first at which requests fail."""
        levels: list[Level] = []
        for concurrency in SWEEP:
            cells = self._repeats(CellSpec(closed=concurrency), 0)
            if failed := sum(cell.num_offered - cell.num_ok for cell in cells):
                print(f"{self.variant}: {failed} requests failed at closed-{concurrency}: enough")
                break
            levels.append(self._level(concurrency, cells))
        return tuple(levels)

    def _level(self, concurrency: int, cells: Sequence[Cell]) -> Level:
        """Give the mean over its repeats.

        Raises:
            MeasurementError: a repeat left no figure.
        """
        keys = ("output_tokens_per_s", "e2e_ms_p50", "ttft_ms_p50", "tpot_ms_mean")
        columns = [[cell.metrics[key] for cell in cells] for key in keys]
        if any(value is None for column in columns for value in column):
            raise MeasurementError(f"closed-{concurrency} of {self.variant} left no figures")
        rate, e2e, ttft, tpot = (
            statistics.fmean(value for value in column if value is not None) for column in columns
        )
        return Level(
            concurrency=concurrency,
            output_tokens_per_s=rate,
            e2e_ms=e2e,
            ttft_ms=ttft,
            tpot_ms=tpot,
        )

    def attainment(self, rate: float, confirms: bool) -> Interval:
        """Measure one rate anew and bound its attainment; a rate given up has not attained.

        Raises:
            MeasurementError: the rate is beyond what can be asked.
        """
        if rate > FASTEST:
            raise MeasurementError(f"{FASTEST:g} requests/s attain the SLO; no cell can ask more")
        if rate * self.run.study.workload.window_s < FEWEST_PLANNED:
            print(f"{self.variant}: {rate:.3g}/s is too seldom to be shown in one window")
            return Interval(0.0, 0.0, 1.0, 0)
        cells = self._repeats(CellSpec(poisson=float(f"{rate:.4g}")), FRESH if confirms else 0)
        shares = [cell.metrics["attainment"] or 0.0 for cell in cells]
        if _is_given_up(cells[-1]):
            return Interval(statistics.fmean(shares), 0.0, max(shares), len(shares))
        return bounded_attainment(cells, self.run.policy.confidence)

    def _repeats(self, spec: CellSpec, first: int) -> list[Cell]:
        """Measure as many repeats as the study asks; fewer where the server was given up.

        Raises:
            MeasurementError: the client or the server spoilt too many.
        """
        wanted, cells = self.run.study.workload.repeats, list[Cell]()
        for repeat in range(first, first + wanted + MAX_SPARE):
            cell = self._measure(spec, repeat)
            print(f"{self.variant}: {spec.name} repeat {repeat}: {_told(cell)}")
            if any(map(is_client_fault, cell.invalid)):
                continue
            if others := [why for why in cell.invalid if not why.startswith(SATURATED)]:
                raise MeasurementError(f"{spec.name} of {self.variant}: {others[0]}")
            cells.append(cell)
            if _is_given_up(cell) or len(cells) == wanted:
                return cells
        raise MeasurementError(
            f"the client spoilt {MAX_SPARE + 1} repeats of {spec.name}: {cell.invalid[0]}; "
            "leave the machine to the measurement"
        )

    def _measure(self, spec: CellSpec, repeat: int) -> Cell:
        step = f"{CAPACITY}{spec.name}.r{repeat}"
        found = self.run.recorder.find(self.variant, step)
        if isinstance(found, Cell):
            return found
        workload, study = self.run.study.workload, self.run.study
        plan = plan_cell(workload, spec, study.seed, repeat, token_stream(self.run))
        reader = reader_of(self.endpoint, study.target)
        bench = Bench(address_of(self.endpoint), self.sender, study.slo, self.scratch, reader)
        arm: Arm = "baseline" if self.variant == BASELINE else "variant"
        turn = Turn(self.num_measured, spec.name, repeat, arm)
        self.num_measured += 1
        patient = plan.with_patience(study.slo) if plan.is_open else plan
        cell = measure_cell(patient, turn, bench).cell
        store_traces(self.run, self.scratch, cell)
        self.run.recorder.keep(self.variant, step, cell)
        return cell


def _is_given_up(cell: Cell) -> bool:
    return any(why.startswith(f"{SATURATED} given up") for why in cell.invalid)


def _told(cell: Cell) -> str:
    share = cell.metrics["attainment"]
    rate = cell.metrics["output_tokens_per_s"] or 0.0
    told = f"{rate:.0f} tokens/s" if share is None else f"attainment {share:.1%}"
    return "; ".join([told, *cell.invalid])
