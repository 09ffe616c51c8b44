"""Are input and output embeddings, where config.json ties them, stored once?

Example: SmolLM2-135M ties 49,152 x 576 embeddings; a second copy in bf16 adds 56,623,104 bytes to
110 MB of 4-bit weights: half as much again, for numbers that are there already.
"""

import re
from collections.abc import Mapping

from variants.audit.finding import AuditFinding, judge
from variants.audit.safetensors import Tensor

HEAD = re.compile(r"^(.*\.)?(lm_head|embed_out|output_layer)\.")
EMBEDDING = re.compile(r"(^|\.)(embed_tokens|wte|word_embeddings)\.weight$")


def is_head(name: str) -> bool:
    """Whether a tensor belongs to the output embeddings."""
    return HEAD.match(name) is not None


def is_tied(config: Mapping[str, object]) -> bool:
    """Whether config.json says that output embeddings are the input's."""
    return config.get("tie_word_embeddings") is True


def check_tied(
    tensors: dict[str, Tensor], config: Mapping[str, object], base: dict[str, Tensor] | None
) -> AuditFinding:
    """Look for a second copy of tied embeddings, or for a head that is neither stored nor tied."""
    heads = [tensor for name, tensor in tensors.items() if is_head(name)]
    num_bytes = sum(tensor.num_bytes for tensor in heads)
    base_is_bare = base is not None and not any(is_head(name) for name in base)
    problems = []
    if heads and (is_tied(config) or base_is_bare):
        problems.append(
            f"{heads[0].name} adds {num_bytes:,} bytes, and "
            f"{'config.json ties' if is_tied(config) else 'the base has tied'} it to the input "
            "embeddings; save the model without it"
        )
    if not heads and config.get("tie_word_embeddings") is False and _is_generative(tensors):
        problems.append(
            "there is no lm_head, and config.json does not tie it to the input embeddings: a "
            "loader fills it with random weights; build the artifact again"
        )
    praise = "stored once" if is_tied(config) else "not tied"
    return judge("tied weights", problems, praise, head_bytes=num_bytes)


def _is_generative(tensors: dict[str, Tensor]) -> bool:
    return any(EMBEDDING.search(name) for name in tensors)
