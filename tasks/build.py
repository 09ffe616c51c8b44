"""Build a variant's artifact, or take the verified one from the store."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Artifact, Check
from tasks.adapters import package_all
from tasks.run import Run
from variants.audit import effective_bits, weight_bytes
from variants.builders.artifact import artifact_key, build_artifact
from variants.errors import QualificationError, RecipeError
from variants.kept.manifest import Manifest


@task(cache_policy=NO_CACHE, log_prints=True)
def build(run: Run, variant: str) -> None:
    """Record the artifact of a variant, or why there is none."""
    recipe = run.spec(variant).recipe
    was_cached = run.store.find(artifact_key(run.source, recipe)) is not None
    with run.timeline.stage("build"):
        try:
            manifest = _built(run, variant)
        except QualificationError as error:
            # a recipe's refusal is a verdict; a full disk or a killed builder is not
            passed = False if isinstance(error, RecipeError) else None
            run.recorder.keep(variant, "check.build", _check(passed, str(error)))
            print(f"{variant}: not built: {error}")
            return
    run.recorder.keep(variant, "artifact", _artifact(run, manifest, was_cached))
    told = "verified in the store" if was_cached else "built"
    run.recorder.keep(variant, "check.build", _check(True, f"artifact {told}"))
    print(f"{variant}: artifact {manifest.fingerprint} {told}")


def _built(run: Run, variant: str) -> Manifest:
    spec, sources = run.spec(variant), run.study.adapter_sources
    manifest = build_artifact(run.store, run.source, spec.recipe, run.home.sources, sources)
    package_all(run, spec)
    return manifest


def is_built(run: Run, variant: str) -> bool:
    """Whether there is an artifact to go on with: a full disk or a lost source is no verdict."""
    return run.recorder.find(variant, "artifact") is not None


def _check(passed: bool | None, reason: str) -> Check:
    return Check(stage="build", name="artifact", passed=passed, reason=reason)


def _artifact(run: Run, manifest: Manifest, was_cached: bool) -> Artifact:
    folder = run.store.folder(manifest.fingerprint)
    made = manifest.metadata
    return Artifact.model_validate(
        {
            "fingerprint": manifest.fingerprint,
            "files": {name: entry.sha256 for name, entry in manifest.files.items()},
            "num_bytes": manifest.num_bytes,
            "weight_bytes": weight_bytes(folder),
            "effective_bits": effective_bits(folder),
            "was_cached": was_cached,
            **made,
        }
    )
