"""Read the weights once, in pieces: NaN, infinities, and layers that are one byte throughout.

Not-a-number is told from bit patterns, without decoding: in bf16 0x7F80 is the exponent's mask, and
a value is NaN or infinite exactly where all its bits are set. The highest pattern of a piece, sign
taken away, says whether there is any: one pass over numbers that lie in the processor's cache.

Example: pieces of 1 MiB; a bf16 tensor of 576 x 576 (663,552 bytes) is one of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from variants.audit.safetensors import Tensor
from variants.errors import BuildError

PIECE = 1 << 20  # bytes; fits the second-level cache with the masked copy beside it
# data type -> how its words are read, all bits but the sign, the first pattern that is no number
PATTERNS: Mapping[str, tuple[str, int, int]] = {
    "BF16": ("<u2", 0x7FFF, 0x7F80),
    "F16": ("<u2", 0x7FFF, 0x7C00),
    "F32": ("<u4", 0x7FFFFFFF, 0x7F800000),
    "F64": ("<u8", 0x7FFFFFFFFFFFFFFF, 0x7FF0000000000000),
    "F8_E4M3": ("u1", 0x7F, 0x7F),
    "F8_E5M2": ("u1", 0x7F, 0x7C),
}


@dataclass(frozen=True, slots=True)
class Scan:
    """What the bytes of one tensor hold."""

    num_nonfinite: int
    constant: int | None  # the byte, where all are the same
    num_read: int  # bytes


def scan(tensors: Iterable[Tensor]) -> dict[str, Scan]:
    """Read tensors in the order they lie in; one of integers only until two bytes differ."""
    ordered = sorted(tensors, key=lambda tensor: (tensor.path, tensor.begin))
    piece, masked = np.empty(PIECE, np.uint8), np.empty(PIECE, np.uint8)
    return {tensor.name: _scan(tensor, piece, masked) for tensor in ordered}


def _scan(tensor: Tensor, piece: NDArray[np.uint8], masked: NDArray[np.uint8]) -> Scan:
    pattern = PATTERNS.get(tensor.dtype)
    num_nonfinite, num_read = 0, 0
    first: int | None = None
    is_constant = tensor.num_bytes > 0
    for raw in _pieces(tensor, piece):
        num_read += raw.size
        first = int(raw[0]) if first is None else first
        is_constant = is_constant and bool((raw == first).all())
        if pattern is None and not is_constant:
            break
        if pattern is not None:
            num_nonfinite += _count(raw, masked, pattern)
    return Scan(num_nonfinite, first if is_constant else None, num_read)


def _pieces(tensor: Tensor, piece: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield a tensor's bytes; every piece is gone when the next one is asked for."""
    left = tensor.num_bytes
    with tensor.path.open("rb") as stream:  # a buffered reader fills what it is given
        stream.seek(tensor.begin)
        while left:
            raw = piece[: min(left, PIECE)]
            if stream.readinto(memoryview(raw)) != raw.size:
                raise BuildError(f"{tensor.path} was cut while it was read; build it again")
            left -= raw.size
            yield raw


def _count(raw: NDArray[np.uint8], masked: NDArray[np.uint8], pattern: tuple[str, int, int]) -> int:
    kind, mask, lowest = pattern
    words = raw.view(kind)
    bare = masked[: raw.size].view(kind)
    np.bitwise_and(words, words.dtype.type(mask), out=bare)
    return int(np.count_nonzero(bare >= lowest)) if int(bare.max()) >= lowest else 0
