"""Look at a variant before it costs device time: does it fit, is it whole, is its label true?"""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.planning.adapters import ENGINE_BYTES
from evals.planning.memory import check_fit, predict_weight_bytes, read_shape
from evals.results import Check
from evals.suites import Request
from evals.suites.naming import named
from evals.suites.overlap import overlap_check
from evals.suites.tokenizer import tokenizer_of
from reports.recorder import BASELINE
from tasks.adapters import audit_checks
from tasks.fetch import suite_files
from tasks.run import Run
from variants.audit import audit_artifact
from variants.audit.tensors import read_config
from variants.builders.calibration import calibration_texts
from variants.hardware import describe

EVERY = 10**9  # items asked of a suite that holds fewer: all


@task(cache_policy=NO_CACHE, log_prints=True)
def plan(run: Run, variant: str) -> None:
    """Predict the memory of the variant beside the baseline, and compare it with the target's."""
    spec, memory = run.spec(variant), describe(run.study.target).memory_bytes
    shape = read_shape(read_config(run.artifact(BASELINE)))
    weights = predict_weight_bytes(shape, spec.recipe.quantization)
    weights += predict_weight_bytes(shape, None)  # the two arms are up together
    fit = check_fit(weights, 2 * spec.serving.kv_cache_bytes, 2 * ENGINE_BYTES, memory)
    values: dict[str, float | str | None] = {
        "needed_bytes": fit.needed_bytes,
        "memory_bytes": memory,
    }
    check = Check(stage="plan", name="memory", passed=fit.fits, reason=fit.reason, values=values)
    run.recorder.keep(variant, "check.plan", check)


@task(cache_policy=NO_CACHE, log_prints=True)
def audit(run: Run, variant: str) -> None:
    """Compare the artifact's bytes with its label and its companions with the baseline's."""
    with run.timeline.stage("audit"):
        findings = audit_artifact(
            run.artifact(variant), run.artifact(BASELINE), run.spec(variant).recipe.quantization
        )
    checks = [
        Check(stage="audit", name=one.name, passed=one.passed, reason=one.reason, values=one.values)
        for one in findings
    ]
    checks += audit_checks(run, run.spec(variant))
    if is_calibrated(run, variant):
        checks.append(look_for_overlap(run))
    run.recorder.keep_all(variant, "check.audit", checks)
    failed = [check.reason for check in checks if not check.passed]
    print(f"{variant}: audit {'failed: ' + '; '.join(failed) if failed else 'passed'}")


def is_calibrated(run: Run, variant: str) -> bool:
    """Whether calibration data shaped the artifact."""
    quantization = run.spec(variant).recipe.quantization
    return quantization is not None and quantization.calibration is not None


def look_for_overlap(run: Run) -> Check:
    """Look among all items of the study's suites for what the calibration text holds."""
    tokenizer = tokenizer_of(run.artifact(BASELINE))
    request = Request(EVERY, run.study.seed, tokenizer, suite_files(run))
    items = [item for _, suite in named(run.study.suites) for item in suite.items(request)]
    return overlap_check(items, calibration_texts())
