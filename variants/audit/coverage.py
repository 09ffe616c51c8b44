"""Is every linear layer that the label covers quantized, and no other?

A layer left out loads, and serves at the old size or, worse, is filled with random weights.
"""

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label
from variants.audit.linears import UNQUANTIZED, Linear
from variants.audit.numbers import is_scale
from variants.audit.safetensors import Tensor


def check_label(
    seen: Label | None, expected: Label | None, linears: tuple[Linear, ...]
) -> AuditFinding:
    """Compare what config.json says with what the recipe asked for.

    Layers are compared one by one: a builder may write a pattern as the names it matched. Zero
    points are the algorithm's own affair, and no part of what a recipe asks.
    """
    said = f"config.json says {seen or 'unquantized'}"
    problems = []
    if (seen is None) != (expected is None):
        problems.append(f"{said}, the recipe asks {expected or 'unquantized'}")
    elif seen is not None and expected is not None:
        problems = [
            f"{one.module}: {told}" for one in linears if (told := _difference(seen, expected, one))
        ]
        if seen.kv_cache != expected.kv_cache:
            problems.append(f"config.json says {seen.kv_cache}, the recipe {expected.kv_cache}")
    return judge("label", problems, said, seen=str(seen), method=seen.method if seen else None)


def _difference(seen: Label, expected: Label, one: Linear) -> str:
    ours, theirs = seen.numbers_of(one.module), expected.numbers_of(one.module)
    if (ours is None) != (theirs is None):
        return "it is ignored by only one of config.json and the recipe"
    if str(ours) == str(theirs):
        return ""
    return f"config.json says {ours}, the recipe asks {theirs}"


def check_coverage(
    linears: tuple[Linear, ...], label: Label | None, tensors: dict[str, Tensor]
) -> AuditFinding:
    """Look whether the layers that are stored quantized are those that the label covers."""
    problems = [problem for one in linears if (problem := _layer_problem(one, label))]
    if not linears:
        problems = ["no linear layer was found"]
    if label is not None:
        problems += [
            f"{tensor.name} holds all experts of a layer in {tensor.dtype}, which no label covers"
            for tensor in tensors.values()
            if _is_fused(tensor) and not label.ignores(tensor.name)
        ]
    num_quantized = sum(not one.is_plain for one in linears)
    praise = f"{num_quantized} of {len(linears)} linear layers are quantized, as the label says"
    return judge(
        "coverage", problems, praise, num_linears=len(linears), num_quantized=num_quantized
    )


def _layer_problem(one: Linear, label: Label | None) -> str:
    numbers = label.numbers_of(one.module) if label else None
    if numbers is None:
        is_untouched = one.is_plain and len(one.parts) == 1
        return "" if is_untouched else f"{one.module} is quantized and the label leaves it out"
    if not one.is_plain:
        return ""
    return f"{one.module} has {one.held}: it was not quantized, and the label says {numbers}"


def _is_fused(tensor: Tensor) -> bool:
    """Whether one tensor holds the weights of all experts, which no linear layer is."""
    is_large = len(tensor.shape) == 3 and tensor.dtype in UNQUANTIZED
    return is_large and ".experts." in tensor.name and not is_scale(tensor.name)
