"""Certify what a run has promoted; what cannot be certified is said, and undoes no promotion."""

from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from reports.certificate.issuing import issue
from tasks.run import Run
from tasks.show import softly


@task(cache_policy=NO_CACHE, log_prints=True)
def certify(run: Run) -> None:
    """Write the signed certificate and the bill of materials of the run's promotion."""
    softly("certificate", lambda: issue(run.home, run.name, datetime.now(UTC)))
    print(f"certificate: {run.home.certificate(run.name)}")
