"""What vLLM is told of LoRA adapters, and the slots that it keeps for them.

Every adapter gets a slot in a batch and a place in host memory, so that none evicts another while
it is measured. Slots are as wide as the largest rank asked, in steps: the help of vLLM 0.32 lists
1, 8, 16, 32, 64, 128, 256, 320 and 512.

Example: adapters of rank 4 and 12 share slots of rank 16.
"""

from collections.abc import Sequence

from variants.engines.adapter import ServedAdapter
from variants.errors import EngineError
from variants.specs.spec import Serving

RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)


def slot_rank(ranks: Sequence[int]) -> int:
    """Return the smallest width of a slot that holds all these ranks.

    Raises:
        EngineError: none does.
    """
    fitting = [width for width in RANKS if width >= max(ranks)]
    if not fitting:
        raise EngineError(
            f"an adapter has rank {max(ranks)}, vLLM serves up to {RANKS[-1]}; merge it instead"
        )
    return fitting[0]


def lora_arguments(adapters: Sequence[ServedAdapter]) -> list[str]:
    """Return the arguments for some adapters; none for none."""
    if not adapters:
        return []
    count = str(len(adapters))
    return [
        "--enable-lora",
        *("--max-lora-rank", str(slot_rank([adapter.rank for adapter in adapters]))),
        *("--max-loras", count, "--max-cpu-loras", count),
        *("--lora-modules", *(f"{adapter.name}={adapter.folder}" for adapter in adapters)),
    ]


def lora_expectations(serving: Serving) -> dict[str, str]:
    """Return what the engine must report of them."""
    return {"max_loras": str(len(serving.adapters))} if serving.adapters else {}
