"""What was seen of each adapter of a variant: its effect, its strength, how long it takes to load.

A look is a check named after its adapter (`evals.suites.adapter_effect`, `adapter_loading`).
"""

from dataclasses import dataclass

from evals.planning.deployments import Comparison, compare, deployment_of
from evals.results import Check
from evals.suites.adapter_effect import EFFECT, STRENGTH
from evals.suites.adapter_loading import LOADING
from reports.view import VariantView, View
from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class AdapterLooks:
    """One adapter as one variant served it; None: not looked at."""

    name: str
    effect: Check | None
    strength: Check | None
    loading: Check | None


def looks_of(variant: VariantView) -> tuple[AdapterLooks, ...]:
    """Gather the looks by adapter, in the order they were taken."""
    found: dict[str, dict[str, Check]] = {}
    for check in variant.payloads(Check):
        for kind in (EFFECT, STRENGTH, LOADING):
            if check.name.startswith(kind):
                found.setdefault(check.name.removeprefix(kind), {})[kind] = check
    return tuple(
        AdapterLooks(name, looks.get(EFFECT), looks.get(STRENGTH), looks.get(LOADING))
        for name, looks in found.items()
    )


def comparisons(view: View) -> tuple[Comparison, ...]:
    """Compare each variant that serves several adapters with those that serve them one by one."""
    served = {variant.name: [one.name for one in looks_of(variant)] for variant in view.variants}
    by_name = {variant.name: variant for variant in view.variants}
    alone = {names[0]: by_name[variant] for variant, names in served.items() if len(names) == 1}
    shared = [variant for variant, names in served.items() if len(names) > 1]
    return tuple(
        found
        for variant in shared
        if all(name in alone for name in served[variant])
        and (found := _compared(by_name[variant], served[variant], alone)) is not None
    )


def _compared(
    shared: VariantView, names: list[str], alone: dict[str, VariantView]
) -> Comparison | None:
    """Compare, or None where the memory of one was not measured."""
    try:
        separate = [deployment_of(alone[name].evidence, (name,)) for name in names]
        return compare(deployment_of(shared.evidence, tuple(names)), separate)
    except MeasurementError:
        return None
