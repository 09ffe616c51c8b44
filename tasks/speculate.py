"""Measure how much of what is drafted is accepted, by kind of text and by load."""

from collections.abc import Mapping
from functools import partial
from itertools import product

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.speculation import Arm as Asked
from evals.performance.speculation import concurrencies, measure
from evals.results import Arm, Payload, Speculated
from evals.workload.data_classes import KINDS, DataClass
from tasks.profile import address_of
from tasks.run import Run
from tasks.serve import as_verdict
from variants.engines.endpoint import Endpoint
from variants.errors import MeasurementError


@task(cache_policy=NO_CACHE, log_prints=True)
def speculate(run: Run, variant: str, endpoints: dict[Arm, Endpoint]) -> None:
    """Ask each kind of text at each concurrency, both arms, where the variant speculates."""
    if run.spec(variant).serving.speculation is None:
        return
    try:
        loads = concurrencies(run.study.workload)
    except MeasurementError as error:
        print(f"{variant}: acceptance is not measured: {error}")
        return
    with run.timeline.stage("speculation"):
        for concurrency, kind in product(loads, KINDS):
            _measured(run, variant, endpoints, (kind, concurrency))


def _measured(
    run: Run, variant: str, endpoints: Mapping[Arm, Endpoint], what: tuple[DataClass, int]
) -> None:
    kind, concurrency = what
    timeout_s = run.study.workload.timeout_s * 4
    arms = (endpoints["baseline"], endpoints["variant"])
    baseline, served = (Asked(one, address_of(one), timeout_s) for one in arms)
    ask = partial(measure, baseline, served, kind, concurrency)
    try:
        found = run.recorder.obtain(variant, f"speculation.{kind}.c{concurrency}", ask)
    except MeasurementError as error:
        raise as_verdict("variant", endpoints["variant"], f"{kind} text", error) from error
    print(f"{variant}: {_told(found)}")


def _told(found: Payload) -> str:
    assert isinstance(found, Speculated), "a step keeps its kind"
    where = f"{found.data_class} at {found.concurrency}"
    speed = f"{found.output_tokens_per_s:.1f} tokens/s, {found.baseline_tokens_per_s:.1f} without"
    if found.acceptance_length is None or found.acceptance_rate is None:
        return f"{where}: nothing was drafted; {speed}"
    return (
        f"{where}: {found.acceptance_length:.2f} tokens a step, {found.acceptance_rate:.0%} of the "
        f"drafted accepted; {speed}"
    )
