"""The two thin matrices that an adapter holds for each linear layer it changes.

Shapes: `lora_A` is rank x in, `lora_B` is out x rank; the layer's weight changes by
scaling * B @ A. Names, as peft saves them: `base_model.model.MODULE.lora_A.weight`.

Example: B = [[1], [2]], A = [[3, 4]]: the change is [[3, 4], [6, 8]] of Frobenius norm
sqrt(9 + 16 + 36 + 64) = 11.18 = |B| |A| = sqrt(5) x 5.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from variants.audit.safetensors import Tensor, read_floats, read_header
from variants.errors import BuildError

NAME = re.compile(r"base_model\.model\.(?P<module>[A-Za-z0-9_.]+)\.lora_(?P<part>[AB])\.weight")
MAX_HEADER_BYTES = 16 << 20  # about 150 bytes a tensor: over 100,000 tensors


@dataclass(frozen=True, slots=True)
class Pair:
    """One layer's matrices, by their headers."""

    module: str
    down: Tensor  # lora_A
    up: Tensor  # lora_B

    @property
    def shape(self) -> tuple[int, int]:
        """The layer's out and in."""
        return self.up.shape[0], self.down.shape[1]

    @property
    def rank(self) -> int:
        """The matrices' rank at most."""
        return self.down.shape[0]

    @property
    def num_bytes(self) -> int:
        """Stored bytes of both."""
        return self.down.num_bytes + self.up.num_bytes


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read which layers an adapter changes.

    Raises:
        BuildError: header and bytes disagree, or a tensor is no half of a pair.
    """
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
    if size > MAX_HEADER_BYTES:
        raise BuildError(
            f"{path.name} has a header of {size:,} bytes, {MAX_HEADER_BYTES:,} at most"
        )
    try:
        tensors = read_header(path)
    except RecursionError as problem:
        raise BuildError(f"{path.name} has a header nested without end") from problem
    halves: dict[str, dict[str, Tensor]] = {}
    for tensor in tensors:
        found = NAME.fullmatch(tensor.name)
        if found is None or ".." in tensor.name:
            raise BuildError(
                f"{path.name} holds {tensor.name[:120]!r}, which is no matrix of a linear layer "
                "(base_model.model.MODULE.lora_A.weight): an engine would ignore or misread it"
            )
        halves.setdefault(found["module"], {})[found["part"]] = tensor
    if not halves:
        raise BuildError(f"{path.name} holds no tensor: it changes nothing")
    return tuple(_pair(path.name, module, parts) for module, parts in sorted(halves.items()))


def _pair(name: str, module: str, parts: dict[str, Tensor]) -> Pair:
    if set(parts) != {"A", "B"}:
        raise BuildError(f"{name}: {module} has lora_{''.join(parts)} alone, both are needed")
    pair = Pair(module, parts["A"], parts["B"])
    shapes = f"lora_A {list(pair.down.shape)} and lora_B {list(pair.up.shape)}"
    if len(pair.down.shape) != 2 or len(pair.up.shape) != 2:
        raise BuildError(f"{name}: {module} has {shapes}, two dimensions each are needed")
    if pair.down.shape[0] != pair.up.shape[1] or 0 in pair.down.shape + pair.up.shape:
        raise BuildError(f"{name}: {module} has {shapes}, which cannot be multiplied")
    return pair


def matrix(tensor: Tensor) -> NDArray[np.float64]:
    """Read one matrix.

    Raises:
        BuildError: its dtype is no float.
    """
    values = read_floats(tensor)
    if values is None:
        raise BuildError(f"{tensor.name} is {tensor.dtype}, which is no float")
    return values.reshape(tensor.shape)


def change_norm(pair: Pair) -> float:
    """Return the Frobenius norm of B @ A, from the two Gram matrices: out x in is never made."""
    down, up = matrix(pair.down), matrix(pair.up)
    squared = float(np.sum((up.T @ up) * (down @ down.T)))
    return math.sqrt(max(squared, 0.0))
