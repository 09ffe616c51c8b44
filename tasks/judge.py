"""Judge a variant on its evidence."""

from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.gates import Decision, Waivers, decide, first_failure
from evals.planning.memory import BYTES_PER_VALUE, predict_weight_bytes, read_shape
from evals.results import Evidence, ModelClass
from reports.kept.recorder import BASELINE
from reports.waivers import read_waivers
from tasks.run import Run
from variants.audit.tensors import read_config

SMALL_MODEL_PARAMETERS = 3_000_000_000  # fidelity limits of 4-bit: research/evaluation.md section 9


def evidence_of(run: Run, variant: str) -> Evidence:
    """Collect a variant's evidence."""
    return run.recorder.evidence(run.spec(variant), model_class(run))


def model_class(run: Run) -> ModelClass:
    """Return the class of limits and margins that the base belongs to, by its size."""
    shape = read_shape(read_config(run.artifact(BASELINE)))
    is_small = predict_weight_bytes(shape, None) // BYTES_PER_VALUE <= SMALL_MODEL_PARAMETERS
    return "up to 3B" if is_small else "above 3B"


def is_stopped(run: Run, variant: str) -> bool:
    """Whether a blocking gate has failed already: nothing costlier need be measured."""
    verdict = first_failure(run.policy, run.study, evidence_of(run, variant))
    if verdict:
        print(f"{variant}: stopped at {verdict.gate}: {verdict.reason}")
    return verdict is not None


@task(cache_policy=NO_CACHE, log_prints=True)
def judge(run: Run, variant: str) -> Decision:
    """Decide on a variant, and file the decision as evidence."""
    with run.timeline.stage("judge"):
        waivers = Waivers(read_waivers(run.home.waivers, run.study.name), datetime.now(UTC))
        decision = decide(run.study, run.policy, evidence_of(run, variant), waivers)
        run.store.put_evidence(run.name, variant, "entry.decision", decision.model_dump_json())
    print(f"{variant}: {decision.outcome}: {decision.reason}")
    return decision
