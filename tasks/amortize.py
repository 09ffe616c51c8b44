"""Say after how many requests compiling has paid for its longer start."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.break_even import break_even_requests, request_s
from evals.results import Arm, Cell, Compilation, StartUp
from reports.kept.recorder import BASELINE
from tasks.run import Run
from tasks.serve import cache_binding, launch_of
from variants.specs.ladder import changed_sets


@task(cache_policy=NO_CACHE, log_prints=True)
def amortize(run: Run, variant: str) -> None:
    """Record the break-even of a variant that compiles otherwise than the baseline."""
    if "compilation" not in changed_sets(run.spec(BASELINE), run.spec(variant)):
        return
    found = _weighed(run, variant)
    if found is None:
        print(f"{variant}: no break-even: a start or a request was not timed")
        return
    run.recorder.keep(variant, "compilation", found)
    print(f"{variant}: {_told(found)}")


def _weighed(run: Run, variant: str) -> Compilation | None:
    cells = [one.payload for one in run.recorder.standing(variant) if isinstance(one.payload, Cell)]
    cell = run.study.objective.cell
    before, now = (request_s(cells, cell, arm) for arm in ("baseline", "variant"))
    start, cold = _first_token_s(run, variant, "baseline"), _first_token_s(run, variant, "variant")
    if before is None or now is None or start is None or cold is None:
        return None
    warm = run.recorder.find(variant, "startup.variant.warm")
    warm_s = warm.first_token_s if isinstance(warm, StartUp) else None
    extra_s = None if warm_s is None else warm_s - start
    spec = run.spec(variant)
    key = cache_binding(run, launch_of(run, run.artifact(variant), spec.serving)).key
    packed = run.store.find(key)
    return Compilation(
        cell=cell,
        cold_extra_s=cold - start,
        warm_extra_s=extra_s,
        warm_hit=warm.cache_hit if isinstance(warm, StartUp) else None,
        baseline_request_s=before,
        variant_request_s=now,
        cold_requests=break_even_requests(cold - start, before, now),
        warm_requests=None if extra_s is None else break_even_requests(extra_s, before, now),
        cache_key=packed.fingerprint if packed else None,
        cache_bytes=packed.num_bytes if packed else None,
    )


def _first_token_s(run: Run, variant: str, arm: Arm) -> float | None:
    found = run.recorder.find(variant, f"startup.{arm}.cold")
    return found.first_token_s if isinstance(found, StartUp) else None


def _told(found: Compilation) -> str:
    paid = "never pays" if found.cold_requests is None else f"pays after {found.cold_requests:.0f}"
    return f"compiling takes {found.cold_extra_s:.0f} s longer and {paid} requests of {found.cell}"
