"""What a variant changes, in words for somebody who does not know its name.

Example: `int4-w4a16-g64-gptq` is "weights in 4-bit integers, groups of 64, by GPTQ".
"""

from collections.abc import Iterator

from variants.specs.spec import (
    Algorithm,
    Quantization,
    Recipe,
    Scheme,
    Serving,
    Speculation,
    Variant,
)

NUMBERS: dict[Scheme, str] = {
    "int8_w8a8": "weights and activations in 8-bit integers",
    "int4_w4a16": "weights in 4-bit integers",
    "fp8_dynamic": "weights and activations in FP8",
    "fp8_static": "weights and activations in FP8, calibrated",
    "fp8_block": "weights and activations in FP8 by blocks",
    "nvfp4": "weights and activations in NVFP4",
    "nvfp4a16": "weights in NVFP4",
    "mxfp4": "weights and activations in MXFP4",
    "mxfp4a16": "weights in MXFP4",
}
MADE: dict[Algorithm, str] = {
    "rtn": "rounded to nearest",
    "gptq": "by GPTQ",
    "smoothquant": "by SmoothQuant",
    "awq": "by AWQ",
    "autoround": "by AutoRound",
}
DRAFTED = {
    "ngram": "n-grams of the prompt",
    "draft_model": "a smaller model",
    "eagle": "an EAGLE head",
    "eagle3": "an EAGLE-3 head",
    "mtp": "the base's own prediction layers",
}


def variant_words(variant: Variant, baseline: Variant) -> str:
    """Say in which ways a variant differs from the baseline."""
    ways = [*_recipe(variant.recipe), *_serving(variant.serving, baseline.serving)]
    return "; ".join(ways) or "the baseline once more"


def _recipe(recipe: Recipe) -> Iterator[str]:
    if recipe.prebuilt is not None:
        yield "a checkpoint from elsewhere"
    if recipe.adapter is not None:
        yield f"adapter {recipe.adapter.name} merged into the weights"
    if recipe.quantization is not None:
        yield _numbers(recipe.quantization, is_made_here=recipe.prebuilt is None)
    if recipe.kv_cache is not None:
        yield f"keys and values in {recipe.kv_cache.scheme.upper()}, calibrated"


def _numbers(quantization: Quantization, is_made_here: bool) -> str:
    group = quantization.group_size
    layers = (f"{rule.pattern} in {NUMBERS[rule.scheme]}" for rule in quantization.layers)
    parts = (
        NUMBERS[quantization.scheme],
        f"groups of {group}" if group else "",
        MADE[quantization.algorithm] if is_made_here else "",
        *layers,
    )
    return ", ".join(filter(None, parts))


def _serving(serving: Serving, base: Serving) -> Iterator[str]:
    if serving.engine != base.engine:
        yield f"served by {serving.engine}"
    if serving.mode != base.mode or serving.compilation != base.compilation:
        yield "compiled graphs" if serving.mode == "compiled" else "no compiled graphs"
    if serving.speculation != base.speculation:
        yield _speculation(serving.speculation)
    if serving.adapters != base.adapters:
        names = ", ".join(adapter.name for adapter in serving.adapters)
        yield f"adapters applied while serving: {names or 'none'}"
    if serving.kv_cache_dtype != base.kv_cache_dtype:
        yield f"keys and values kept in {serving.kv_cache_dtype.upper()}"
    if serving.kv_cache_bytes != base.kv_cache_bytes or serving.max_model_len != base.max_model_len:
        yield "another size of the KV cache"
    further = [one for one in serving.arguments if one not in base.arguments]
    if further:
        yield f"served with {' '.join(further)}"


def _speculation(speculation: Speculation | None) -> str:
    if speculation is None:
        return "no speculation"
    return f"speculation by {DRAFTED[speculation.method]}, {speculation.num_tokens} tokens a step"
