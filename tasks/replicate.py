"""Build a recipe again on other draws, and tell how far its builds lie apart."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Check, Fidelity
from evals.suites.fidelity.spread import spread_check
from tasks.compare import measure_artifact
from tasks.run import Run
from variants.builders.artifact import build_artifact
from variants.errors import QualificationError
from variants.specs.replicas import replica

STEP = "check.replicas"


@task(cache_policy=NO_CACHE, log_prints=True)
def replicate(run: Run, variant: str) -> None:
    """Record the spread between builds, where the variant asks for further ones."""
    if not run.spec(variant).replicas:
        return
    with run.timeline.stage("replicas"):
        try:
            check = spread_check(_distances(run, variant))
        except QualificationError as error:
            check = Check(stage="build", name="replicas", passed=None, reason=str(error))
    run.recorder.keep(variant, STEP, check)
    print(f"{variant}: {check.reason}")


def _distances(run: Run, variant: str) -> list[float]:
    """Return mean KL of the judged build, then of each replica."""
    spec, judged = run.spec(variant), run.recorder.find(variant, "fidelity")
    assert isinstance(judged, Fidelity), "replicas follow the comparison"
    found = [judged.mean_kl]
    for number in range(1, spec.replicas + 1):
        recipe = replica(spec.recipe, number)
        manifest = build_artifact(run.store, run.source, recipe, run.home.sources)
        found.append(measure_artifact(run, run.store.folder(manifest.fingerprint)).mean_kl)
    return found
