"""Ask suites that are answered in writing: through the engine, whatever was changed."""

from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.busy import watched
from evals.results import Arm, SuiteResult
from evals.suites import WRITTEN
from evals.suites.asking import ask
from evals.suites.assignment import Assignment
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.profile import address_of
from tasks.run import Run, teller
from tasks.serve import as_verdict, require_sound
from variants.engines.adapter import SERVED_NAME
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError


@task(cache_policy=NO_CACHE, log_prints=True)
def ask_endpoint(run: Run, variant: str, arm: Arm, endpoint: Endpoint) -> None:
    """Have a served arm write its answers to every written suite of the study."""
    folder = endpoint.launch.artifact
    writer = Writer(endpoint.url, SERVED_NAME, tokenizer_of(folder))
    items, seed = run.study.items.written, run.study.seed
    require_sound(run, variant, arm)
    for suite in (one for one in run.study.suites if one in WRITTEN):
        assignment = Assignment(suite, arm, "engine", items, seed, suite_files(run))
        with run.timeline.stage("suites"):
            found = run.recorder.obtain(
                BASELINE if arm == "baseline" else variant,  # the baseline's serve every variant
                f"suite.{suite}.engine.{arm}",
                partial(_asked, assignment, endpoint, writer),
            )
        assert isinstance(found, SuiteResult), "a step keeps its kind"
        print(f"{variant} ({arm}): {found.told()}")


def _asked(assignment: Assignment, endpoint: Endpoint, writer: Writer) -> SuiteResult:
    try:
        measure = partial(ask, assignment, endpoint.launch.artifact, writer, teller())
        return watched(address_of(endpoint), measure)
    except MeasurementError as error:
        raise as_verdict(assignment.arm, endpoint, assignment.suite, error) from error
