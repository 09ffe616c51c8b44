"""Judge a variant on its evidence."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.gates import Decision, decide, first_failure
from evals.planning.memory import BYTES_PER_VALUE, predict_weight_bytes, read_shape
from evals.results import Evidence
from reports.recorder import BASELINE
from tasks.run import Run
from variants.audit.tensors import read_config


def evidence_of(run: Run, variant: str) -> Evidence:
    """Collect a variant's evidence."""
    shape = read_shape(read_config(run.artifact(BASELINE)))
    num_parameters = predict_weight_bytes(shape, None) // BYTES_PER_VALUE
    return run.recorder.evidence(run.spec(variant), num_parameters)


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
        decision = decide(run.study, run.policy, evidence_of(run, variant))
        run.store.put_evidence(run.name, variant, "entry.decision", decision.model_dump_json())
    print(f"{variant}: {decision.outcome}: {decision.reason}")
    return decision
