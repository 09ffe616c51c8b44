"""Variants on other machines: one child run each, on the pool of a deployment.

The home (TOUCHSTONE_HOME) lies on storage that every machine of the pool sees, and all of them are
of one kind: a run is bound to the machine it was begun on, and another kind is refused. Each child
holds its own machine's device; Prefect's pool decides how many work at once.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from prefect.client.schemas.objects import FlowRun
from prefect.deployments import run_deployment

from evals.gates import Decision
from evals.results import Check
from evals.study import Study
from reports.kept.run_files import decisions_of
from tasks.judge import judge
from tasks.run import open_run

FLOW = "qualify-variant"


def decide_elsewhere(
    study: Study, run_name: str, variants: Sequence[str], deployment: str
) -> list[Decision]:
    """Run every variant as a child of a deployment, and wait for all; what broke down holds."""

    def start(variant: str) -> FlowRun:
        print(f"{variant}: on the pool of {FLOW}/{deployment}")
        parameters = {"study": study.model_dump(mode="json"), "run_name": run_name,
                      "variant": variant, "holds_device": True}  # fmt: skip
        name = f"{FLOW}/{deployment}"
        return cast(FlowRun, run_deployment(name, parameters=parameters, as_subflow=False))

    with ThreadPoolExecutor(max_workers=len(variants)) as threads:
        ended = list(threads.map(start, variants))
    run = open_run(study, run_name)  # with what the children have recorded
    decided = decisions_of(run.home, run_name)
    for variant, child in zip(variants, ended, strict=True):
        state = child.state
        if state is None or not state.is_completed():
            told = state.message if state else "nobody knows how it ended"
            check = Check(stage="plan", name="pipeline", passed=None, reason=f"broke down: {told}")
            run.recorder.keep(variant, "check.pipeline", check)
            decided[variant] = judge(run, variant)
    return [decided[variant] for variant in variants]
