"""Which set of variables two specs differ in.

A rung of the experiment ladder changes one set only; and what differs decides what must be
measured through what: changed weights are judged on the artifact, changed serving through the
engine.

Class of change: weights in another number format are judged by its bits; everything else claims to
change no answer (compiled graphs, another cache size, speculation, which only ever accepts what the
model itself would have written), so it is lossless and held to that.
"""

from typing import Literal

from variants.specs.formats import ChangeClass, change_class_of
from variants.specs.spec import Recipe, Serving, Variant

VariableSet = Literal["weights", "compilation", "kv_cache", "speculation", "engine", "adapter"]

SERVING_SETS: dict[str, VariableSet] = {
    "engine": "engine",
    "custom_ops": "engine",
    "mode": "compilation",
    "compilation": "compilation",
    "max_model_len": "kv_cache",
    "kv_cache_bytes": "kv_cache",
    "kv_cache_dtype": "kv_cache",
    "speculation": "speculation",
    "arguments": "engine",
    "adapters": "adapter",
}
__all__ = ["ChangeClass", "change_class", "changed_sets", "changes_weights"]


def changed_sets(one: Variant, other: Variant) -> frozenset[VariableSet]:
    """Name the sets of variables that two variants differ in."""
    weights: set[VariableSet] = (
        {"weights"} if (one.base, one.recipe) != (other.base, other.recipe) else set()
    )
    return frozenset(weights | _serving_sets(one.serving, other.serving))


def _serving_sets(one: Serving, other: Serving) -> set[VariableSet]:
    changed = (name for name in Serving.model_fields if getattr(one, name) != getattr(other, name))
    return {SERVING_SETS[name] for name in changed}


def changes_weights(variant: Variant) -> bool:
    """Whether the artifact's weights differ from the baseline's."""
    return variant.recipe != Recipe()


def answers_in_process(variant: Variant) -> bool:
    """Whether scoring the artifact scores the variant: its weights are new, and they are all.

    An adapter that the engine applies is not in the artifact, so it is judged as served.
    """
    return changes_weights(variant) and not variant.serving.adapters


def change_class(variant: Variant) -> ChangeClass:
    """Return the class of margins that a variant is judged by.

    Other weights in the base's own number format claim to be lossless: they are judged as such. An
    adapter, merged or not, is meant to change answers; it may not lose what the base can do.
    """
    recipe = variant.recipe
    if recipe.adapter or variant.serving.adapters:
        return "adapter"
    if recipe.quantization is not None:
        return change_class_of(recipe.quantization)
    return "8-bit" if recipe.kv_cache is not None else "lossless"
