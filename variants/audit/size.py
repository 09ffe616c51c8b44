"""How many bytes and bits the weights of an artifact take, and whether the label says so.

Example: a linear layer of 576 x 576 in int8 with one bf16 scale per output channel stores
331,776 + 1,152 bytes for 331,776 weights: 8.0278 bits per weight.
"""

from pathlib import Path

from variants.audit.claims import read_label
from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, Numbers
from variants.audit.linears import Linear, list_linears
from variants.audit.safetensors import Tensor
from variants.audit.tensors import read_config, read_tensors
from variants.errors import BuildError

UNQUANTIZED_BITS = 16.0  # bf16 and f16, the formats a baseline is served in
SIDE_BITS = 512  # per layer: the shape (128), scales of the activations and of the whole tensor


def effective_bits(folder: Path) -> float:
    """Return stored bits per weight over all linear layers, scales included.

    Raises:
        BuildError: the folder cannot be read, or has no linear layer.
    """
    label = read_label(read_config(folder))
    return bits_of(list_linears(read_tensors(folder), label))


def bits_of(linears: tuple[Linear, ...]) -> float:
    """Return stored bits per weight over some linear layers."""
    if not linears:
        raise BuildError("there is no linear layer to count bits of; look at the tensors' names")
    return 8 * sum(one.num_bytes for one in linears) / sum(one.num_weights for one in linears)


def weight_bytes(folder: Path) -> int:
    """Return the bytes of all tensors, headers not counted.

    Raises:
        BuildError: the folder cannot be read.
    """
    return sum(tensor.num_bytes for tensor in read_tensors(folder).values())


def bits_range(one: Linear, numbers: Numbers) -> tuple[float, float]:
    """Return the fewest and the most bits per weight that a layer of such numbers stores.

    Beside each group: a scale of at most 32 bits and a zero point; beside each input: its group's
    number (32 bits) where GPTQ reorders; each row filled up to a whole word; and SIDE_BITS.

    Example: 4 bits, 4096 x 4096, groups of 128: 4 to 4 + 36/128 + 32/4096 + 32/4096 + 512/4096**2
    = 4.297.
    """
    rows, columns = one.shape
    sizes = {"tensor": one.num_weights, "channel": columns, "block": _area(numbers)}
    group = sizes.get(numbers.strategy, numbers.group_size or columns)
    beside = (32 + numbers.num_bits) / group + 32 / rows + 32 / columns
    return numbers.num_bits, numbers.num_bits + beside + SIDE_BITS / one.num_weights


def bits_problem(one: Linear, numbers: Numbers) -> str:
    """Say how a layer's bits lie outside of what its numbers take; '' where they do not."""
    seen, (low, high) = bits_of((one,)), bits_range(one, numbers)
    if low <= seen <= high:
        return ""
    return (
        f"{one.module} stores {seen:.4f} bits per weight ({one.held}), expected {low:g} to "
        f"{high:.4f}: {numbers}"
    )


def check_bits(
    linears: tuple[Linear, ...], label: Label | None, tensors: dict[str, Tensor]
) -> AuditFinding:
    """Compare each quantized layer's bits with the label; tell them per group of tensors.

    A layer that should be quantized and is not is the coverage's finding, and not told twice.
    """
    problems = [
        problem
        for one in linears
        if label is not None
        and not one.is_plain
        and (numbers := label.numbers_of(one.module))
        and (problem := bits_problem(one, numbers))
    ]
    values = bits_by_kind(linears, tensors)
    praise = ", ".join(
        f"{name.removesuffix('_bits')} {bits:.4f}"
        for name, bits in values.items()
        if name.endswith("_bits")
    )
    return judge("bits", problems, f"bits per weight as the label says: {praise}", **values)


def bits_by_kind(
    linears: tuple[Linear, ...], tensors: dict[str, Tensor]
) -> dict[str, float | str | None]:
    """Return effective bits over all linear layers and per kind, and the share that is none."""
    if not linears:
        return {}
    kinds = sorted({one.kind for one in linears})
    told: dict[str, float | str | None] = {"effective_bits": bits_of(linears)}
    for kind in kinds:
        told[f"{kind}_bits"] = bits_of(tuple(one for one in linears if one.kind == kind))
    whole = sum(tensor.num_bytes for tensor in tensors.values())
    told["other_bytes_share"] = 1 - sum(one.num_bytes for one in linears) / whole
    return told


def _area(numbers: Numbers) -> int:
    return numbers.block[0] * numbers.block[1] if numbers.block else 1
