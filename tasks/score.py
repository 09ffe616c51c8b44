"""Score suites of choices: on the artifact where the weights changed, else through the engine."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.busy import watched
from evals.results import Arm, Path, SuiteArm, SuiteResult
from evals.suites import Suite
from evals.suites.assignment import Assignment
from evals.suites.blocks import block_ends, in_blocks, merge
from evals.suites.drawing import drawn_items
from evals.suites.endpoint_model import EndpointModel
from evals.suites.naming import Entry, named, suite_of
from evals.suites.scoring import score
from evals.suites.tokenizer import tokenizer_of
from reports.kept.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.judge import is_stopped
from tasks.look import is_given_up, look_of
from tasks.profile import address_of
from tasks.run import Run, teller
from tasks.serve import require_sound
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError
from variants.running.isolation import run as run_child
from variants.running.isolation import threads
from variants.running.progress import Tell, silent

SMALLEST_BLOCK = {"artifact": 400, "engine": 100}  # items; in process a block starts children anew


@task(cache_policy=NO_CACHE, log_prints=True)
def score_artifacts(run: Run, variant: str) -> None:
    """Score suite after suite in process, until one shows the variant to be hopeless.

    One child per core, one thread each: two single-threaded children score twice what one
    two-threaded child does, for the forward passes of single items are too small to share.
    """
    for entry, suite in _choices(run):
        _score_in_process(run, BASELINE, _assignment(run, entry, "artifact", "baseline"))
        if is_given_up(run, suite.id, "artifact"):
            continue
        if run.study.items.null_arm:
            _score_in_process(run, BASELINE, _assignment(run, entry, "artifact", "null"))
        _score_in_process(run, variant, _assignment(run, entry, "artifact", "variant"))
        if is_stopped(run, variant):
            return


def _choices(run: Run) -> Iterator[tuple[Entry, Suite]]:
    for entry, suite in named(run.study.suites):
        if isinstance(suite, Suite):
            yield entry, suite


def _assignment(run: Run, entry: Entry, path: Path, arm: SuiteArm) -> Assignment:
    items, seed = run.study.items, run.study.seed
    num_items = items.asked(suite_of(entry).id, path)
    num_asked = items.null_arm if arm == "null" else None
    files, window = suite_files(run), run.spec(BASELINE).serving.max_model_len
    return Assignment(entry, arm, path, num_items, seed, files, window, num_asked)


def _score_in_process(run: Run, owner: str, assignment: Assignment) -> None:
    measure = partial(_in_blocks, run, owner, assignment, partial(_shared_out, run, owner))
    _keep(run, owner, assignment, measure)


@task(cache_policy=NO_CACHE, log_prints=True)
def score_endpoints(run: Run, variant: str, endpoints: Mapping[Arm, Endpoint]) -> None:
    """Score suite after suite through both served arms, until one shows the variant hopeless."""
    require_sound(run, variant, "baseline")
    for entry, suite in _choices(run):
        baseline, variant_arm = endpoints["baseline"], endpoints["variant"]
        _score_served(run, BASELINE, _assignment(run, entry, "engine", "baseline"), baseline)
        if is_given_up(run, suite.id, "engine"):
            continue
        if run.study.items.null_arm:  # asked again, in other company: what flips is noise
            _score_served(run, BASELINE, _assignment(run, entry, "engine", "null"), baseline)
        _score_served(run, variant, _assignment(run, entry, "engine", "variant"), variant_arm)
        if is_stopped(run, variant):
            return


def _score_served(run: Run, owner: str, assignment: Assignment, endpoint: Endpoint) -> None:
    folder = endpoint.launch.artifact
    model = EndpointModel(endpoint.url, endpoint.served_name, tokenizer_of(folder))

    def block(assignment: Assignment) -> SuiteResult:
        return watched(address_of(endpoint), partial(score, assignment, folder, model, teller()))

    _keep(run, owner, assignment, partial(_in_blocks, run, owner, assignment, block))


def _in_blocks(
    run: Run, owner: str, assignment: Assignment, measure: Callable[[Assignment], SuiteResult]
) -> SuiteResult:
    """Measure to the end, or until a look says that it is enough."""
    smallest = SMALLEST_BLOCK[assignment.path]
    look = look_of(run, owner, assignment, smallest)
    return in_blocks(assignment, _ends(run, assignment, smallest), measure, look)


def _ends(run: Run, assignment: Assignment, smallest: int) -> tuple[int | None, ...]:
    """Say where to look, alike in both arms: what shares a pass may round alike too."""
    if assignment.arm == "null":
        return (None,)
    num_planned = len(drawn_items(assignment, run.artifact(BASELINE)))
    return block_ends(num_planned, smallest)


def _keep(run: Run, owner: str, assignment: Assignment, measure: Callable[[], SuiteResult]) -> None:
    suite, path, arm = suite_of(assignment.suite).id, assignment.path, assignment.arm
    with run.timeline.stage("suites"):
        found = run.recorder.obtain(owner, f"suite.{suite}.{path}.{arm}", measure)
    assert isinstance(found, SuiteResult), "a step keeps its kind"
    print(f"{owner} ({arm}): {found.told()}")


def _shared_out(run: Run, variant: str, assignment: Assignment) -> SuiteResult:
    num_shards = threads()
    shards = [replace(assignment, shard=at, num_shards=num_shards) for at in range(num_shards)]
    tells = [teller(), *[silent] * (num_shards - 1)]  # the others are about as far as the first
    with ThreadPoolExecutor(num_shards) as pool:
        score_one = partial(_score_shard, run, variant)
        results = list(pool.map(score_one, shards, tells))
    return merge(results, max(result.seconds for result in results))


def _score_shard(run: Run, variant: str, shard: Assignment, tell: Tell) -> SuiteResult:
    arguments: dict[str, object] = {
        "folder": str(run.artifact(variant)),
        "assignments": [asdict(shard)],
    }
    (scored,) = run_child(
        "evals.suites.scoring:score_artifact", arguments, MeasurementError, 1, tell
    )
    return SuiteResult.model_validate(scored)
