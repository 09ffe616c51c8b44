"""How many bytes and bits the weights of an artifact take.

Example: a linear layer of 576 x 576 in int8 with one bf16 scale per output channel stores
331,776 + 1,152 bytes for 331,776 weights: 8.0278 bits per weight.
"""

from pathlib import Path

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, read_label
from variants.audit.tensors import Linear, list_linears, read_config, read_tensors
from variants.errors import BuildError

UNQUANTIZED_BITS = 16.0  # bf16 and f16, the formats a baseline is served in
OVERHEAD_BITS = 0.1  # shapes and group indexes beside the weights; a real layer shows under .01


def effective_bits(folder: Path) -> float:
    """Return stored bits per weight over all linear layers, scales included.

    Raises:
        BuildError: the folder cannot be read, or has no linear layer.
    """
    label = read_label(read_config(folder))
    return bits_of(list_linears(read_tensors(folder), label.num_bits if label else None))


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


def check_bits(linears: tuple[Linear, ...], label: Label | None) -> AuditFinding:
    """Compare the bits stored for the layers that the label covers with what it says.

    A scale of at most 32 bits, and a zero point, are spread over each group of weights.
    """
    covered = tuple(one for one in linears if label is None or not label.ignores(one.module))
    if not covered:
        return judge("bits", ["the label covers no linear layer"], "")
    seen = bits_of(covered)
    if label is None:
        low, high = UNQUANTIZED_BITS, 32.0
    else:
        group = label.group_size or min(one.shape[1] for one in covered)
        low, high = label.num_bits, label.num_bits + (32 + label.num_bits) / group + OVERHEAD_BITS
    words = f"{seen:.4f} bits per weight, expected {low:g} to {high:.4f}"
    problems = [] if low <= seen <= high else [f"{words}: the label and the bytes disagree"]
    return judge("bits", problems, words, effective_bits=seen, expected_low=low, expected_high=high)
