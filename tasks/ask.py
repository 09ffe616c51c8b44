"""Ask suites that are answered in writing: through the engine, whatever was changed."""

from collections.abc import Mapping
from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.busy import watched
from evals.results import Arm, SuiteResult
from evals.suites.asking import SMALLEST_BLOCK, ask
from evals.suites.assignment import Assignment
from evals.suites.blocks import Look
from evals.suites.naming import Entry, named, suite_of
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer
from evals.suites.written import WrittenSuite
from reports.kept.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.judge import is_stopped
from tasks.look import is_given_up, look_of
from tasks.profile import address_of
from tasks.run import Run, teller
from tasks.serve import as_verdict, require_sound
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError

ARMS: tuple[Arm, ...] = ("baseline", "variant")


@task(cache_policy=NO_CACHE, log_prints=True)
def ask_endpoints(run: Run, variant: str, endpoints: Mapping[Arm, Endpoint]) -> None:
    """Have both served arms answer suite after suite, until one shows the variant to be hopeless.

    The baseline's answers serve every variant of the run.
    """
    require_sound(run, variant, "baseline")
    for entry, suite in named(run.study.suites):
        if not isinstance(suite, WrittenSuite):
            continue
        for arm in ARMS:
            if not is_given_up(run, suite.id, "engine"):
                _ask(run, variant, _assignment(run, entry, suite, arm), endpoints[arm])
        if is_stopped(run, variant):
            return


def _assignment(run: Run, entry: Entry, suite: WrittenSuite, arm: Arm) -> Assignment:
    num_items = run.study.items.asked(suite.id, "written")
    window = run.spec(BASELINE).serving.max_model_len
    return Assignment(entry, arm, "engine", num_items, run.study.seed, suite_files(run), window)


def _ask(run: Run, variant: str, assignment: Assignment, endpoint: Endpoint) -> None:
    arm, suite = assignment.arm, suite_of(assignment.suite).id
    look = look_of(run, variant, assignment, SMALLEST_BLOCK)
    with run.timeline.stage("suites"):
        found = run.recorder.obtain(
            BASELINE if arm == "baseline" else variant,
            f"suite.{suite}.engine.{arm}",
            partial(_asked, assignment, endpoint, look),
        )
    assert isinstance(found, SuiteResult), "a step keeps its kind"
    print(f"{variant} ({arm}): {found.told()}")


def _asked(assignment: Assignment, endpoint: Endpoint, look: Look) -> SuiteResult:
    folder = endpoint.launch.artifact
    writer = Writer(endpoint.url, endpoint.served_name, tokenizer_of(folder))
    try:
        measure = partial(ask, assignment, folder, writer, teller(), look)
        return watched(address_of(endpoint), measure)
    except MeasurementError as error:
        where = suite_of(assignment.suite).id
        raise as_verdict(assignment.arm, endpoint, where, error) from error
