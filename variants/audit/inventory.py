"""Are all tensors of the base there, in shape, and no others?

What is missing a loader fills with random weights and says nothing; what is added it drops.
"""

import re
from collections.abc import Mapping

from variants.audit.finding import AuditFinding, judge
from variants.audit.kv_scales import is_kv_scale
from variants.audit.linears import Linear
from variants.audit.safetensors import Tensor
from variants.audit.tied import is_head

BLOCK = re.compile(r"(?:^|\.)(?:layers|h|blocks)\.(\d+)\.")
EXPERT = re.compile(r"^(.*\.experts)\.(\d+)\.")
NUM_EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts")


def check_inventory(
    tensors: dict[str, Tensor], linears: tuple[Linear, ...], base: dict[str, Tensor]
) -> AuditFinding:
    """Compare the logical tensors with the base's: same names, same shapes, none missing or new.

    A second copy of tied embeddings is the finding of `tied`, scales of the KV cache that of
    `kv_scales`.
    """
    ours = logical_shapes(tensors, linears)
    theirs = {name: tensor.shape for name, tensor in base.items()}
    missing = [f"{name} is missing" for name in sorted(theirs.keys() - ours.keys())]
    foreign = [
        f"{name} is not in the base"
        for name in sorted(ours.keys() - theirs.keys())
        if not is_kv_scale(name) and not is_head(name)
    ]
    reshaped = [
        f"{name} is {list(ours[name])}, in the base {list(theirs[name])}"
        for name in sorted(ours.keys() & theirs.keys())
        if ours[name] != theirs[name]
    ]
    praise = f"all {len(theirs)} tensors of the base are there, in shape"
    return judge("inventory", missing + foreign + reshaped, praise, num_tensors=len(ours))


def logical_shapes(
    tensors: dict[str, Tensor], linears: tuple[Linear, ...]
) -> dict[str, tuple[int, ...]]:
    """Map each tensor's name to its shape, quantized layers as the one weight they stand for."""
    stored = {part.name for one in linears for part in one.parts.values()}
    plain = {name: tensor.shape for name, tensor in tensors.items() if name not in stored}
    return plain | {f"{one.module}.weight": one.shape for one in linears}


def check_blocks(tensors: dict[str, Tensor], config: Mapping[str, object]) -> AuditFinding:
    """Without a base: count transformer blocks, and experts in each, against config.json."""
    numbers = {int(found[1]) for name in tensors if (found := BLOCK.search(name))}
    asked = config.get("num_hidden_layers")
    problems = []
    if isinstance(asked, int) and numbers != set(range(asked)):
        shown = f"blocks {sorted(numbers)[:3]}… count {len(numbers)}"
        problems.append(f"{shown}, config.json says {asked}")
    problems += _experts_problems(tensors, config)
    return judge("inventory", problems, f"{len(numbers)} blocks, as config.json says")


def _experts_problems(tensors: dict[str, Tensor], config: Mapping[str, object]) -> list[str]:
    asked = next((value for name in NUM_EXPERTS if isinstance(value := config.get(name), int)), 0)
    held: dict[str, set[int]] = {}
    for name in tensors:
        if found := EXPERT.match(name):
            held.setdefault(found[1], set()).add(int(found[2]))
    return [
        f"{module} holds {len(numbers)} experts, config.json says {asked}"
        for module, numbers in sorted(held.items())
        if asked and numbers != set(range(asked))
    ]
