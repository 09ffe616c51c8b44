"""Can a recipe be built and served here at all? Looked at before it costs anything."""

from collections.abc import Sequence

from evals.results import Check
from variants.audit.linears import Linear
from variants.hardware import Hardware
from variants.specs.fitting import misfits
from variants.specs.kernels import missing_kernels
from variants.specs.spec import Recipe


def check_kernels(recipe: Recipe, hardware: Hardware) -> Check:
    """Look whether the target has a kernel for every number format of a recipe."""
    problems = missing_kernels(recipe, hardware)
    return _check("kernel", problems, "the target runs every number format of the recipe")


def check_recipe(recipe: Recipe, linears: Sequence[Linear]) -> Check:
    """Look whether a recipe fits the model's linear layers."""
    problems = misfits(recipe, linears)
    return _check("recipe", problems, f"the recipe fits {len(linears)} linear layers")


def _check(name: str, problems: list[str], praise: str) -> Check:
    reason = "; ".join(problems) or praise
    return Check(stage="plan", name=name, passed=not problems, reason=reason)
