"""Compare the text of two served arms that hold the same weights: only near ties may differ."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Arm, Check
from evals.suites.near_ties import Pair, check_same_text
from reports.kept.recorder import BASELINE
from tasks.compare import canary_reference
from tasks.run import Run
from tasks.serve import as_verdict
from variants.engines.endpoint import Endpoint
from variants.errors import EngineError, MeasurementError
from variants.specs.ladder import changed_sets

SAME_TEXT = frozenset({"compilation", "speculation"})  # change how tokens are computed, not which


def claims_same_text(run: Run, variant: str) -> bool:
    """Whether a variant differs from the baseline in nothing that may change its text."""
    changed = changed_sets(run.spec(BASELINE), run.spec(variant))
    return bool(changed) and changed <= SAME_TEXT


@task(cache_policy=NO_CACHE, log_prints=True)
def equate(run: Run, variant: str, endpoints: dict[Arm, Endpoint]) -> None:
    """Check prefill and greedy decoding against the baseline's, where they must be the same."""
    if not claims_same_text(run, variant):
        return
    with run.timeline.stage("identity"):
        checks = _compared(run, endpoints)
    run.recorder.keep_all(variant, "check.same-text", checks)
    for check in checks:
        print(f"{variant}: {check.reason}")


def _compared(run: Run, endpoints: dict[Arm, Endpoint]) -> list[Check]:
    served = endpoints["variant"]
    pair = Pair(endpoints["baseline"], served, 4 * run.study.first_token_deadline_s)
    try:
        return check_same_text(pair, canary_reference(run, BASELINE))
    except (EngineError, MeasurementError) as error:
        why = as_verdict("variant", served, "same-text", MeasurementError(str(error)))
        passed = False if isinstance(why, EngineError) else None
        return [Check(stage="identity", name="same-text", passed=passed, reason=str(why))]
