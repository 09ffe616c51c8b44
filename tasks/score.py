"""Score suites of choices: on the artifact where the weights changed, else through the engine."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.busy import watched
from evals.results import Arm, SuiteResult
from evals.suites import CHOICES
from evals.suites.assignment import Assignment
from evals.suites.endpoint_model import EndpointModel
from evals.suites.scoring import merge, score
from evals.suites.tokenizer import tokenizer_of
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.profile import address_of
from tasks.run import Run, teller
from tasks.serve import require_sound
from variants.engines.adapter import SERVED_NAME
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError
from variants.isolation import run as run_child
from variants.isolation import threads
from variants.progress import Tell, silent


@task(cache_policy=NO_CACHE, log_prints=True)
def score_artifact(run: Run, variant: str) -> None:
    """Score every suite of the study in process, one child per core, one thread each.

    Two single-threaded children score twice what one two-threaded child does: the forward
    passes of single items are too small to share.
    """
    arm: Arm = "baseline" if variant == BASELINE else "variant"
    for suite in _choices(run):
        with run.timeline.stage("suites"):
            found = run.recorder.obtain(
                variant, f"suite.{suite}.artifact.{arm}", partial(_in_process, run, variant, suite)
            )
        _tell(variant, found)


@task(cache_policy=NO_CACHE, log_prints=True)
def score_null(run: Run) -> None:
    """Ask some items of the baseline again, harmlessly perturbed: what flips is noise."""
    for suite in _choices(run) if run.study.items.null_arm else ():
        with run.timeline.stage("suites"):
            found = run.recorder.obtain(
                BASELINE, f"suite.{suite}.artifact.null", partial(_null_in_process, run, suite)
            )
        _tell("null arm (fp32)", found)


def _choices(run: Run) -> tuple[str, ...]:
    return tuple(suite for suite in run.study.suites if suite in CHOICES)


def _in_process(run: Run, variant: str, suite: str) -> SuiteResult:
    arm: Arm = "baseline" if variant == BASELINE else "variant"
    items, seed = run.study.items.artifact, run.study.seed
    return _shared_out(
        run, variant, Assignment(suite, arm, "artifact", items, seed, suite_files(run))
    )


def _null_in_process(run: Run, suite: str) -> SuiteResult:
    items, seed = run.study.items, run.study.seed
    files, num_asked = suite_files(run), items.null_arm
    assignment = Assignment(suite, "null", "artifact", items.artifact, seed, files, num_asked)
    return _shared_out(run, BASELINE, assignment)


def _shared_out(run: Run, variant: str, assignment: Assignment) -> SuiteResult:
    num_shards = threads()
    shards = [replace(assignment, shard=at, num_shards=num_shards) for at in range(num_shards)]
    tells = [teller(), *[silent] * (num_shards - 1)]  # the others are about as far as the first
    with ThreadPoolExecutor(num_shards) as pool:
        score_one = partial(_score_shard, run, variant)
        results = list(pool.map(score_one, shards, tells))
    return merge(results)


def _score_shard(run: Run, variant: str, shard: Assignment, tell: Tell) -> SuiteResult:
    arguments: dict[str, object] = {
        "folder": str(run.artifact(variant)),
        "assignments": [asdict(shard)],
    }
    (scored,) = run_child(
        "evals.suites.scoring:score_artifact", arguments, MeasurementError, 1, tell
    )
    return SuiteResult.model_validate(scored)


@task(cache_policy=NO_CACHE, log_prints=True)
def score_endpoint(run: Run, variant: str, arm: Arm, endpoint: Endpoint) -> None:
    """Score every suite of the study through a served arm."""
    model = EndpointModel(endpoint.url, SERVED_NAME, tokenizer_of(endpoint.launch.artifact))
    items, seed = run.study.items.engine, run.study.seed
    require_sound(run, variant, arm)
    for suite in _choices(run):
        assignment = Assignment(suite, arm, "engine", items, seed, suite_files(run))
        with run.timeline.stage("suites"):
            found = run.recorder.obtain(
                BASELINE if arm == "baseline" else variant,  # the baseline's serve every variant
                f"suite.{suite}.engine.{arm}",
                partial(_through, endpoint, assignment, model),
            )
        _tell(f"{variant} ({arm})", found)
        if arm == "baseline" and run.study.items.null_arm:
            _score_again(run, suite, endpoint, model)


def _score_again(run: Run, suite: str, endpoint: Endpoint, model: EndpointModel) -> None:
    """Ask some items of the served baseline again, in other company: what flips is noise."""
    items, seed = run.study.items, run.study.seed
    files, num_asked = suite_files(run), items.null_arm
    assignment = Assignment(suite, "null", "engine", items.engine, seed, files, num_asked)
    with run.timeline.stage("suites"):
        measure = partial(_through, endpoint, assignment, model)
        found = run.recorder.obtain(BASELINE, f"suite.{suite}.engine.null", measure)
    _tell("null arm (asked again)", found)


def _through(endpoint: Endpoint, assignment: Assignment, model: EndpointModel) -> SuiteResult:
    ask = partial(score, assignment, endpoint.launch.artifact, model, teller())
    return watched(address_of(endpoint), ask)


def _tell(who: str, found: object) -> None:
    assert isinstance(found, SuiteResult), "a step keeps its kind"
    print(f"{who}: {found.told()}")
