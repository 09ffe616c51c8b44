"""Ask suites that are answered in writing: through the engine, whatever was changed."""

from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Arm, SuiteResult
from evals.suites import WRITTEN
from evals.suites.asking import ask
from evals.suites.assignment import Assignment
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.run import Run, teller
from variants.engines.adapter import SERVED_NAME
from variants.engines.endpoint import Endpoint


@task(cache_policy=NO_CACHE, log_prints=True)
def ask_endpoint(run: Run, variant: str, arm: Arm, endpoint: Endpoint) -> None:
    """Have a served arm write its answers to every written suite of the study."""
    folder = endpoint.launch.artifact
    writer = Writer(endpoint.url, SERVED_NAME, tokenizer_of(folder))
    items, seed = run.study.items.written, run.study.seed
    for suite in (one for one in run.study.suites if one in WRITTEN):
        assignment = Assignment(suite, arm, "engine", items, seed, suite_files(run))
        with run.timeline.stage("suites"):
            found = run.recorder.obtain(
                BASELINE if arm == "baseline" else variant,  # the baseline's serve every variant
                f"suite.{suite}.engine.{arm}",
                partial(ask, assignment, folder, writer, teller()),
            )
        assert isinstance(found, SuiteResult), "a step keeps its kind"
        print(f"{variant} ({arm}): {found.told()}")
