"""The same recipe on other draws of its calibration set.

Example: replica 2 of a recipe with seed 5 draws with seed 7.
"""

from variants.specs.spec import Calibration, Recipe


def replica(recipe: Recipe, number: int) -> Recipe:
    """Return a recipe whose calibration is drawn again; number 0 is the recipe itself."""
    quantization, cache = recipe.quantization, recipe.kv_cache
    if quantization is not None and quantization.calibration is not None:
        drawn = {"calibration": _drawn(quantization.calibration, number)}
        quantization = quantization.model_copy(update=drawn)
    if cache is not None:
        cache = cache.model_copy(update={"calibration": _drawn(cache.calibration, number)})
    return recipe.model_copy(update={"quantization": quantization, "kv_cache": cache})


def _drawn(calibration: Calibration, number: int) -> Calibration:
    return calibration.model_copy(update={"seed": calibration.seed + number})
