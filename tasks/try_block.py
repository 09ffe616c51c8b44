"""Build, save and serve one block of a large model before hours are spent on all of them."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Check
from reports.kept.recorder import BASELINE
from tasks.run import Run
from tasks.serve import launch_of, raised
from variants.audit import weight_bytes
from variants.builders.artifact import artifact_key, build_artifact
from variants.builders.one_block import cut
from variants.errors import BuildError, EngineError, QualificationError, RecipeError
from variants.fingerprint import fingerprint
from variants.sources import Source
from variants.specs.spec import Recipe, Serving

LARGE_BYTES = 4_000_000_000  # 2B parameters in bf16: below, a whole build takes minutes


@task(cache_policy=NO_CACHE, log_prints=True)
def try_block(run: Run, variant: str) -> None:
    """Take one block through the recipe and into the engine, where the whole would cost hours."""
    if not is_costly(run, variant):
        return
    with run.timeline.stage("preflight"):
        check = _tried(run, variant)
    run.recorder.keep(variant, "check.one-block", check)
    print(f"{variant}: {check.reason}")


def is_costly(run: Run, variant: str) -> bool:
    """Whether a build is yet to be made, of a model that takes long."""
    recipe = run.spec(variant).recipe
    if recipe.quantization is None or recipe.prebuilt is not None:
        return False
    is_large = weight_bytes(run.artifact(BASELINE)) > LARGE_BYTES
    return is_large and run.store.find(artifact_key(run.source, recipe)) is None


def _tried(run: Run, variant: str) -> Check:
    own, base = run.spec(variant), run.spec(BASELINE)
    try:
        _serve_block(run, own.recipe, own.serving)
    except RecipeError as error:
        return _check(False, f"one block cannot be built, the recipe is guilty: {error}")
    except EngineError as error:
        return _blamed(run, base.serving, error)
    except QualificationError as error:  # a full disk, a lost source: no verdict
        return _check(None, f"one block could not be tried: {error}")
    return _check(True, "one block was built, saved and served")


def _blamed(run: Run, plain: Serving, error: EngineError) -> Check:
    try:
        _serve_block(run, Recipe(), plain)
    except (BuildError, EngineError) as worse:
        return _check(None, f"not even the baseline's block is served: {worse}")
    return _check(False, f"one block is not served, and the baseline's is: {error}")


def _serve_block(run: Run, recipe: Recipe, serving: Serving) -> None:
    """Build one block by a recipe, serve it, and ask for a token."""
    origin = run.artifact(BASELINE)
    name = fingerprint("one-block", origin.name)
    block = run.store.build(name, lambda folder: cut(origin, folder))
    source = Source(run.store.folder(block.fingerprint), name, f"first block of {origin.name}")
    made = build_artifact(run.store, source, recipe, run.home.sources)
    launch = launch_of(run, run.store.folder(made.fingerprint), serving)
    with raised(run, launch, f"one-block-{made.fingerprint}") as endpoint:
        body: dict[str, object] = {"prompt": "Hello", "max_tokens": 1, "temperature": 0}
        endpoint.post("/v1/completions", body, run.study.first_token_deadline_s * 4)


def _check(passed: bool | None, reason: str) -> Check:
    return Check(stage="build", name="one-block", passed=passed, reason=reason)
