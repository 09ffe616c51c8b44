"""Does every linear layer that the label covers hold weights of that format, with their scales?

A layer left out loads, and serves at the old size or, worse, is filled with random weights.
"""

import re

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label
from variants.audit.safetensors import Tensor
from variants.audit.tensors import Linear

STORED: dict[tuple[str, int], tuple[str, str]] = {
    ("int", 8): ("weight", "I8"),
    ("float", 8): ("weight", "F8_E4M3"),
    ("int", 4): ("weight_packed", "I32"),
}
BLOCK = re.compile(r"(?:^|\.)(?:layers|h|blocks)\.(\d+)\.")
CONFIG_DTYPES = {"bfloat16": "BF16", "float16": "F16", "float32": "F32"}
FLOAT_DTYPES = frozenset(CONFIG_DTYPES.values())


def check_label(
    seen: Label | None, expected: Label | None, linears: tuple[Linear, ...]
) -> AuditFinding:
    """Compare what config.json says with what the recipe asked for.

    What is left out is compared by effect: a builder may write a pattern as the names it matched.
    """
    problems = []
    if str(seen) != str(expected):
        problems.append(f"config.json says {seen}, the recipe asks {expected}")
    if seen is not None and expected is not None:
        problems += [
            f"{one.module} is ignored by only one of config.json and the recipe"
            for one in linears
            if seen.ignores(one.module) != expected.ignores(one.module)
        ]
    return judge("label", problems, f"config.json says {seen or 'unquantized'}", seen=str(seen))


def check_coverage(linears: tuple[Linear, ...], label: Label | None) -> AuditFinding:
    """Look at each linear layer's tensors."""
    problems = [problem for one in linears if (problem := _layer_problem(one, label))]
    if not linears:
        problems = ["no linear layer was found"]
    num_covered = sum(label is not None and not label.ignores(one.module) for one in linears)
    praise = f"{num_covered} of {len(linears)} linear layers are quantized, as the label says"
    return judge("coverage", problems, praise, num_linears=len(linears), num_quantized=num_covered)


def _layer_problem(one: Linear, label: Label | None) -> str:
    if label is None or label.ignores(one.module):
        is_plain = set(one.parts) == {"weight"} and one.parts["weight"].dtype in FLOAT_DTYPES
        return "" if is_plain else f"{one.module} is quantized and the label leaves it out"
    stored = STORED.get((label.number_type, label.num_bits))
    if stored is None:
        return f"{one.module}: this audit knows no storage of {label}"
    part, dtype = stored
    if part not in one.parts or one.parts[part].dtype != dtype:
        held = ", ".join(f"{name} {tensor.dtype}" for name, tensor in one.parts.items())
        return f"{one.module} has {held}, not {part} {dtype}"
    if "weight_scale" not in one.parts:
        return f"{one.module} has no weight_scale"
    return _shape_problem(one, label)


def _shape_problem(one: Linear, label: Label) -> str:
    rows, columns = one.shape
    num_groups = -(-columns // label.group_size) if label.group_size else 1
    scale = one.parts["weight_scale"]
    if scale.shape not in ((rows, num_groups), (rows,) if num_groups == 1 else (rows, num_groups)):
        return f"{one.module} has scales {list(scale.shape)}, expected {[rows, num_groups]}"
    words = -(-columns * label.num_bits // 32)
    packed = one.parts.get("weight_packed")
    if packed is not None and packed.shape != (rows, words):
        return f"{one.module} has packed {list(packed.shape)}, expected {[rows, words]}"
    return ""


def check_inventory(
    tensors: dict[str, Tensor], linears: tuple[Linear, ...], base: dict[str, Tensor]
) -> AuditFinding:
    """Compare the logical tensors with the base's: same names, same shapes, none missing or new."""
    ours = logical_shapes(tensors, linears)
    theirs = {name: tensor.shape for name, tensor in base.items()}
    missing = [f"{name} is missing" for name in sorted(theirs.keys() - ours.keys())]
    foreign = [f"{name} is not in the base" for name in sorted(ours.keys() - theirs.keys())]
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


def check_layers(tensors: dict[str, Tensor], config: dict[str, object]) -> AuditFinding:
    """Without a base: count the transformer blocks against config.json."""
    numbers = {int(found[1]) for name in tensors if (found := BLOCK.search(name))}
    asked = config.get("num_hidden_layers")
    problems = (
        [f"blocks {sorted(numbers)[:3]}… count {len(numbers)}, config.json says {asked}"]
        if isinstance(asked, int) and numbers != set(range(asked))
        else []
    )
    return judge("inventory", problems, f"{len(numbers)} blocks, as config.json says")


def check_dtype(
    tensors: dict[str, Tensor], linears: tuple[Linear, ...], config: dict[str, object]
) -> AuditFinding:
    """Compare the dtype of what is not quantized with config.json's."""
    named = config.get("dtype") or config.get("torch_dtype")
    asked = CONFIG_DTYPES.get(str(named))
    quantized = {
        p.name for one in linears if set(one.parts) != {"weight"} for p in one.parts.values()
    }
    problems = [
        f"{name} is {tensor.dtype}, config.json says {named}"
        for name, tensor in sorted(tensors.items())
        if name not in quantized and tensor.dtype != asked
    ]
    return judge("dtype", problems, f"what is not quantized is {asked}", dtype=asked)
