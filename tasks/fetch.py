"""Fetch what a study needs from outside: suite data and engine environments."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.suites.naming import named
from tasks.run import Run
from variants.engines.adapters import ADAPTERS
from variants.engines.environment import Environment
from variants.sources import fetch
from variants.specs.spec import Base


@task(cache_policy=NO_CACHE, log_prints=True)
def fetch_suite_data(run: Run) -> None:
    """Download the data files of the study's suites; verified copies are taken as they are."""
    with run.timeline.stage("download"):
        suite_files(run)


def suite_files(run: Run) -> dict[str, str]:
    """Return source address -> local path of every data file of the study's suites."""
    suites = [suite for _, suite in named(run.study.suites)]
    data = {address: pin for suite in suites for address, pin in suite.data.items()}
    return {
        address: str(fetch(Base(source=address, sha256=pin), run.home.sources).path)
        for address, pin in data.items()
    }


@task(cache_policy=NO_CACHE, log_prints=True)
def install_engine(run: Run, variant: str) -> Environment:
    """Make the environment of a variant's engine, once."""
    adapter = ADAPTERS[run.spec(variant).serving.engine]
    print(f"engine {adapter.name} {adapter.version}: making sure of its environment")
    with run.timeline.stage("install engine"):
        return adapter.environment(run.home.engines, run.study.target)
