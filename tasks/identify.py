"""Make sure that a server runs what was asked, that it speaks, and that it is worth a profile."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.performance.activity import Asked, check_activity
from evals.performance.isolation import check_isolation
from evals.performance.pace import check_pace
from evals.results import Arm, Check
from evals.suites.coherence import check_coherence
from evals.suites.identity import check_config, check_decode, check_prefill
from evals.suites.served_scores import prompt_logprobs
from tasks.adapters import effect_checks
from tasks.compare import canary_reference
from tasks.profile import address_of, token_stream
from tasks.run import Run
from tasks.serve import OF_BASELINE
from variants.engines.endpoint import Endpoint
from variants.errors import EngineError


@task(cache_policy=NO_CACHE, log_prints=True)
def identify(run: Run, variant: str, arm: Arm, endpoint: Endpoint, prefix: str = "") -> None:
    """Check the served arm's identity and coherence; a doubtful baseline blocks every verdict."""
    with run.timeline.stage("identity"):
        checks = _looked_at(run, variant, arm, endpoint)
    if arm == "baseline":
        checks = [_of_baseline(check) for check in checks]
    run.recorder.keep_all(variant, f"{prefix}check.{arm}", checks)
    for check in checks:
        if not check.passed:
            print(f"{variant} ({arm}): {check.stage} {check.name}: {check.reason}")


def _looked_at(run: Run, variant: str, arm: Arm, endpoint: Endpoint) -> list[Check]:
    deadline_s = run.study.first_token_deadline_s
    reference = canary_reference(run, "baseline" if arm == "baseline" else variant)
    expected = endpoint.adapter.expected_config(endpoint.launch.serving)
    try:
        # vLLM compiles its ranking of log-probabilities when first asked: start-up, not pace
        prompt_logprobs(endpoint, reference["tokens"][0], run.study.start_deadline_s)
        reported = endpoint.reported_config()
        return [
            check_config(reported, expected),
            *check_prefill(endpoint, reference, deadline_s),
            *check_decode(endpoint, reference, 4 * deadline_s),
            *check_coherence(endpoint, 4 * deadline_s),
            *_activity(run, endpoint, reported),
            *(effect_checks(run, variant, endpoint, deadline_s) if arm == "variant" else ()),
            *_isolation(run, endpoint, deadline_s),
        ]
    except EngineError as error:
        return [Check(stage="identity", name="deadline", passed=False, reason=str(error))]


def _activity(run: Run, endpoint: Endpoint, reported: dict[str, str]) -> list[Check]:
    deadline_s = 4 * run.study.first_token_deadline_s
    asked = Asked(endpoint, address_of(endpoint), token_stream(run), deadline_s)
    return check_activity(asked, endpoint.launch.serving, reported)


def _isolation(run: Run, endpoint: Endpoint, deadline_s: float) -> list[Check]:
    """Look whether tenants' caches are kept apart, where the study has tenants."""
    if not any(cell.tenants == "mixed" for cell in run.study.workload.cells):
        return []
    try:
        endpoint.reset_cache()
        check = check_isolation(endpoint, token_stream(run), deadline_s)
    except EngineError as error:
        check = Check(stage="isolation", name="tenants", passed=None, reason=str(error))
    print(f"isolation: {check.reason}")
    return [check]


def _of_baseline(check: Check) -> Check:
    """A baseline that fails is no fault of the variant: it makes the gate inconclusive."""
    passed = True if check.passed else None
    return check.model_copy(update={"name": f"{OF_BASELINE}{check.name}", "passed": passed})


@task(cache_policy=NO_CACHE, log_prints=True)
def pace(run: Run, variant: str, arm: Arm, endpoint: Endpoint) -> None:
    """Check that an unloaded server can meet the SLO at all; a first failure is looked at again."""
    with run.timeline.stage("pace"):
        check = _paced(run, endpoint, look=0)
        if not check.passed:
            print(f"{variant} ({arm}): {check.reason}; looking again")
            check = _paced(run, endpoint, look=1)
    run.recorder.keep(variant, f"check.pace.{arm}", check)
    print(f"{variant} ({arm}): {check.reason}")


def _paced(run: Run, endpoint: Endpoint, look: int) -> Check:
    try:
        return check_pace(endpoint, run.study, token_stream(run), look)
    except EngineError as error:
        return Check(stage="pace", name="deadline", passed=False, reason=str(error))
