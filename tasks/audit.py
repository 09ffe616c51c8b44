"""Look at an artifact before it costs device time: whole, true to its label, and shaped by what?"""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Artifact, Check
from evals.suites import Request
from evals.suites.claimed import look_at_claim
from evals.suites.naming import named
from evals.suites.overlap import overlap_check
from evals.suites.tokenizer import tokenizer_of
from evals.workload.traffic import likeness_check, traffic_of
from reports.kept.recorder import BASELINE
from tasks.adapters import audit_checks
from tasks.fetch import suite_files
from tasks.run import Run
from variants.audit import AuditFinding, audit_artifact, audit_origin
from variants.calibration import files_of, requests_of

EVERY = 10**9  # items asked of a suite that holds fewer: all


@task(cache_policy=NO_CACHE, log_prints=True)
def audit(run: Run, variant: str) -> None:
    """Compare the artifact's bytes with its label and its companions with the baseline's."""
    with run.timeline.stage("audit"):
        checks = [_check(finding) for finding in _findings(run, variant)]
    checks += audit_checks(run, run.spec(variant))
    checks += look_at_calibration(run, variant)
    run.recorder.keep_all(variant, "check.audit", checks)
    failed = [check.reason for check in checks if not check.passed]
    print(f"{variant}: audit {'failed: ' + '; '.join(failed) if failed else 'passed'}")


def _findings(run: Run, variant: str) -> tuple[AuditFinding, ...]:
    """Audit the artifact; one that somebody else has made is asked for its origin too."""
    recipe, base = run.spec(variant).recipe, run.artifact(BASELINE)
    found = audit_artifact(run.artifact(variant), base, recipe.quantization, recipe.kv_cache)
    if recipe.prebuilt is None:
        return found
    source = recipe.prebuilt.source
    return found + audit_origin(run.artifact(variant), base, run.spec(variant).base.source, source)


def _check(one: AuditFinding) -> Check:
    return Check(
        stage="audit", name=one.name, passed=one.passed, reason=one.reason, values=one.values
    )


def look_at_calibration(run: Run, variant: str) -> list[Check]:
    """Look for evaluation data in what shaped the artifact; nothing to look at where none did."""
    recipe = run.spec(variant).recipe
    if recipe.prebuilt is not None:
        return [look_at_claim(recipe.prebuilt.calibration, lambda texts: look_for(run, texts))]
    if recipe.calibration is None:
        return []
    requests = requests_of(recipe.calibration, files_of(recipe.calibration, run.home.sources))
    texts = [text for request in requests for text in request.said]
    return [look_for(run, texts), _likeness(run, variant)]


def _likeness(run: Run, variant: str) -> Check:
    """Compare what the artifact was calibrated on with the study's traffic."""
    artifact = run.recorder.find(variant, "artifact")
    used = artifact.calibration if isinstance(artifact, Artifact) else None
    return likeness_check(used, traffic_of(run.study.workload))


def look_for(run: Run, texts: Sequence[str]) -> Check:
    """Look among all items of the study's suites for what the texts hold."""
    tokenizer = tokenizer_of(run.artifact(BASELINE))
    request = Request(EVERY, run.study.seed, tokenizer, suite_files(run))
    items = [item for _, suite in named(run.study.suites) for item in suite.items(request)]
    return overlap_check(items, texts)
