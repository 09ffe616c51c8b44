"""A variant's adapters: packaged for the study's base, audited, probed where they are served."""

from pathlib import Path

from evals.planning.adapters import check_memory
from evals.planning.memory import read_shape
from evals.results import Check
from evals.suites.adapter_effect import Scores, check_effect, check_strength, effect_of, probe
from evals.suites.adapter_loading import check_loading
from reports.kept.recorder import BASELINE
from tasks.compare import canary_scores
from tasks.run import Run
from variants.adapters import adapter_key, audit_adapter, package_adapter
from variants.adapters.audit import Ground
from variants.adapters.package import require_base
from variants.audit.tensors import read_config
from variants.engines.adapter import SERVED_NAME, ServedAdapter
from variants.engines.endpoint import Endpoint
from variants.errors import BuildError
from variants.hardware import describe
from variants.kept.manifest import read_manifest
from variants.specs.spec import Adapter, Serving, Variant


def package_all(run: Run, spec: Variant) -> None:
    """Package every adapter that the engine is to apply.

    Raises:
        RecipeError: one is refused.
        SourceError: one is not there, or is not what was named.
    """
    for adapter in spec.serving.adapters:
        package_adapter(
            run.store, adapter, _ground(run), run.home.sources, run.study.adapter_sources
        )


def _ground(run: Run) -> Ground:
    return Ground(run.artifact(BASELINE), run.source.description, run.source.digest)


def _all(spec: Variant) -> list[Adapter]:
    merged = [spec.recipe.adapter] if spec.recipe.adapter else []
    return [*merged, *spec.serving.adapters]


def package_of(run: Run, adapter: Adapter) -> Path:
    """Return the folder of a package, made for the base that this run has.

    Raises:
        BuildError: there is none, or it was changed.
        RecipeError: it was made for another base.
    """
    key = adapter_key(adapter, run.source.digest)
    if problems := run.store.verify(key):
        raise BuildError(f"the package of adapter {adapter.name} is not whole: {problems[0]}")
    require_base(read_manifest(run.store.folder(key)), run.source.digest)
    return run.store.folder(key)


def served_adapters(run: Run, serving: Serving) -> tuple[ServedAdapter, ...]:
    """Return what the engine is given."""
    return tuple(
        ServedAdapter(adapter.name, folder, int(str(read_manifest(folder).metadata["max_rank"])))
        for adapter in serving.adapters
        for folder in [package_of(run, adapter)]
    )


def audit_checks(run: Run, spec: Variant) -> list[Check]:
    """Audit the packages as they lie in the store, and say what they take beside one another."""
    checks = [
        Check(
            stage="audit",
            name=f"adapter {adapter.name} {one.name}",
            passed=one.passed,
            reason=one.reason,
            values=one.values,
        )
        for adapter in _all(spec)
        for one in audit_adapter(package_of(run, adapter), _ground(run), adapter)
    ]
    served = served_adapters(run, spec.serving)
    if not served:
        return checks
    shape = read_shape(read_config(run.artifact(BASELINE)))
    ranks = [adapter.rank for adapter in served]
    return [*checks, check_memory(shape, ranks, spec, describe(run.study.target).memory_bytes)]


def effect_checks(run: Run, variant: str, endpoint: Endpoint, deadline_s: float) -> list[Check]:
    """Look whether each adapter does at the endpoint what it does in process."""
    spec = run.spec(variant)
    checks = [_merged(run, adapter, endpoint, deadline_s) for adapter in _merged_of(spec)]
    for adapter in spec.serving.adapters:
        checks += _unmerged(run, adapter, endpoint, deadline_s)
    if endpoint.launch.adapters:
        tokens = canary_scores(run, run.artifact(BASELINE), None)["tokens"]
        checks.append(check_loading(endpoint, endpoint.launch.adapters[-1], tokens[0], deadline_s))
    return checks


def _merged_of(spec: Variant) -> list[Adapter]:
    return [spec.recipe.adapter] if spec.recipe.adapter else []


def _merged(run: Run, adapter: Adapter, endpoint: Endpoint, deadline_s: float) -> Check:
    """Compare with the base in process: one that is merged cannot be served without."""
    bare = canary_scores(run, run.artifact(BASELINE), None)
    adapted = probe(endpoint, SERVED_NAME, bare["tokens"], deadline_s)
    return check_strength(adapter.name, adapted, bare["logprobs"], _expected(run, adapter))


def _unmerged(run: Run, adapter: Adapter, endpoint: Endpoint, deadline_s: float) -> list[Check]:
    tokens = canary_scores(run, run.artifact(BASELINE), None)["tokens"]
    names = (adapter.name, SERVED_NAME, SERVED_NAME)
    adapted, base, again = (probe(endpoint, name, tokens, deadline_s) for name in names)
    return [
        check_effect(adapter.name, adapted, base, again),
        check_strength(adapter.name, adapted, base, _expected(run, adapter)),
    ]


def _expected(run: Run, adapter: Adapter) -> Scores:
    """Return the effect on the unquantized base, in fp32."""
    base = run.artifact(BASELINE)
    adapted = canary_scores(run, base, package_of(run, adapter))
    return effect_of(adapted["null"], canary_scores(run, base, None)["null"])
