"""One variant's way: plan, build, audit, compare, serve, profile, score, judge."""

from contextlib import nullcontext

from prefect import flow

from evals.gates import Decision
from evals.results import Arm, Check
from evals.study import Study
from reports.kept.recorder import BASELINE
from tasks.amortize import amortize
from tasks.ask import ask_endpoints
from tasks.audit import audit
from tasks.build import build, is_built
from tasks.compare import compare
from tasks.equate import equate
from tasks.identify import identify, pace
from tasks.judge import is_stopped, judge
from tasks.plan import plan
from tasks.preflight import blame_start, preflight
from tasks.profile import profile
from tasks.replicate import replicate
from tasks.run import Run, open_run
from tasks.score import score_artifacts, score_endpoints
from tasks.serve import serve
from tasks.speculate import speculate
from tasks.try_block import try_block
from variants.engines.device import hold_device
from variants.engines.endpoint import Endpoint
from variants.errors import EngineError, MeasurementError, QualificationError
from variants.specs.ladder import answers_in_process, changed_sets

MEASURED_LAST = "startup.variant.warm"
INTERRUPTED = ("check.engine", "check.pipeline")  # left open by a run that broke down


@flow(name="qualify-variant", flow_run_name="{variant}", log_prints=True)
def qualify_variant(
    study: Study, run_name: str, variant: str, holds_device: bool = False
) -> Decision:
    """Take one variant as far as it gets, and decide.

    Args:
        study: the study of the run.
        run_name: a run that `qualify` has begun.
        variant: its name.
        holds_device: as a child on a machine of its own, it holds that machine's device.
    """
    with hold_device(study.target) if holds_device else nullcontext():
        run = open_run(study, run_name)
        try:
            if _examine(run, variant):
                for step in INTERRUPTED:
                    run.recorder.settle(variant, step)
        except (EngineError, MeasurementError) as error:
            _refuse(run, variant, error)
        return judge(run, variant)


def _examine(run: Run, variant: str) -> bool:
    """Go through the stages, cheap first; a fail stops the costlier ones. True: to the end."""
    for stage in (plan, try_block, build, audit):
        stage(run, variant)
        if is_stopped(run, variant) or (stage is build and not is_built(run, variant)):
            return False
    if answers_in_process(run.spec(variant)):
        compare(run, variant)
        if is_stopped(run, variant):
            return False
        replicate(run, variant)
    if run.recorder.find(variant, MEASURED_LAST) is not None:
        print(f"{variant}: measured to the end before this run was resumed")
        return True
    if not _measure_served(run, variant):
        return False
    if answers_in_process(run.spec(variant)):
        score_artifacts(run, variant)
    if is_stopped(run, variant):
        return False
    with serve(run, variant, "variant", "warm"):
        pass
    amortize(run, variant)
    return True


def _measure_served(run: Run, variant: str) -> bool:
    """Measure through the engine, beside the baseline; False when a gate has failed."""
    with serve(run, variant, "variant") as served:
        preflight(run, variant, served)
        if is_stopped(run, variant):
            return False
        for look in (pace, identify):  # a server too slow to serve need not speak at length
            look(run, variant, "variant", served)
            if is_stopped(run, variant):
                return False
        with serve(run, variant, "baseline") as baseline:
            identify(run, variant, "baseline", baseline)
            endpoints: dict[Arm, Endpoint] = {"baseline": baseline, "variant": served}
            equate(run, variant, endpoints)
            if is_stopped(run, variant):
                return False
            speculate(run, variant, endpoints)
            profile(run, variant, endpoints, run.study.workload.cells, "")
            if is_stopped(run, variant):
                return False
            ask_endpoints(run, variant, endpoints)
            if not is_stopped(run, variant) and _changes_serving(run, variant):
                score_endpoints(run, variant, endpoints)
    return not is_stopped(run, variant)


def _changes_serving(run: Run, variant: str) -> bool:
    return bool(changed_sets(run.spec(BASELINE), run.spec(variant)) - {"weights"})


def _refuse(run: Run, variant: str, error: QualificationError) -> None:
    """Record why a variant was not measured to the end.

    An engine that refuses, hangs or dies is a verdict, in its own words, where it serves the
    baseline; a failure of ours, or an engine that serves nothing here, is none.
    """
    print(f"{variant}: {error}")
    is_verdict = isinstance(error, EngineError) and _serves_baseline(run, variant)
    passed = False if is_verdict else None
    told = f"{error}; {_guilty(run, variant)}" if is_verdict else str(error)
    check = Check(stage="identity", name="engine", passed=passed, reason=told)
    run.recorder.keep(variant, "check.engine", check)


def _guilty(run: Run, variant: str) -> str:
    """Name what is guilty of an engine that did not start; one that died later is asked no more."""
    if run.recorder.find(variant, "startup.variant.cold") is not None:
        return "it had started before"
    return blame_start(run, variant)


def _serves_baseline(run: Run, variant: str) -> bool:
    if run.recorder.find(variant, "startup.baseline.cold") is not None:
        return True
    try:
        with serve(run, variant, "baseline"):
            return True
    except MeasurementError as error:
        print(f"{variant}: neither is the baseline: {error}")
        return False
