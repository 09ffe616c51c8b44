"""Headers and single tensors of safetensors files, with no framework.

Format (github.com/huggingface/safetensors, README "Format"): 8 bytes little-endian length N, then
N bytes of JSON {name: {dtype, shape, data_offsets: [begin, end]}}, then tensors without holes.

Example: a bf16 tensor of shape [2, 3] takes 2 * 3 * 2 = 12 bytes.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from variants.errors import BuildError

DTYPE_BITS: Mapping[str, int] = {
    "BOOL": 8,
    "U8": 8,
    "I8": 8,
    "F8_E4M3": 8,
    "F8_E5M2": 8,
    "F8_E8M0": 8,
    "U16": 16,
    "I16": 16,
    "F16": 16,
    "BF16": 16,
    "U32": 32,
    "I32": 32,
    "F32": 32,
    "U64": 64,
    "I64": 64,
    "F64": 64,
}
FLOATS: Mapping[str, str] = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
INTEGERS: Mapping[str, str] = {"I8": "i1", "U8": "u1", "I32": "<i4", "I64": "<i8"}
MAX_HEADER_BYTES = 100_000_000  # the format's own limit (safetensors/src/tensor.rs)


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor as a header describes it; offsets are absolute in the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int
    path: Path

    @property
    def num_elements(self) -> int:
        """Stored elements (for a packed tensor: words)."""
        return math.prod(self.shape)

    @property
    def num_bytes(self) -> int:
        """Stored bytes."""
        return self.end - self.begin


def read_header(path: Path) -> tuple[Tensor, ...]:
    """Read what a file says it holds, checked against its length.

    Raises:
        BuildError: header and bytes disagree; the message says where.
    """
    length = path.stat().st_size
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        if length < 8 or size > min(MAX_HEADER_BYTES, length - 8):
            raise BuildError(
                f"{path} has {length:,} bytes and a header of {size:,}; build it again"
            )
        text = stream.read(size)
    tensors = _parse(path, text, 8 + size)
    _require_no_holes(path, tensors, 8 + size, length)
    return tensors


def _parse(path: Path, text: bytes, start: int) -> tuple[Tensor, ...]:
    """Read the entries of a header; a name that stands twice is refused, not overwritten."""
    try:
        entries = json.loads(text, object_pairs_hook=_without_duplicates)
        return tuple(
            _tensor(path, name, entry, start)
            for name, entry in entries.items()
            if name != "__metadata__"
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise BuildError(
            f"{path} has no readable header ({problem!r}); build it again"
        ) from problem


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{max(names, key=names.count)!r} stands there twice")
    return found


def _tensor(path: Path, name: str, entry: Mapping[str, object], start: int) -> Tensor:
    begin, end = _counts(entry["data_offsets"])
    shape = _counts(entry["shape"])
    return Tensor(name, str(entry["dtype"]), shape, start + begin, start + end, path)


def _counts(value: object) -> tuple[int, ...]:
    """Take whole numbers only: a negative or a broken one is a lie about the file."""
    if not isinstance(value, list) or not all(type(one) is int and one >= 0 for one in value):
        raise ValueError(f"{value!r} is no list of counts")
    return tuple(value)


def _require_no_holes(path: Path, tensors: tuple[Tensor, ...], start: int, length: int) -> None:
    """Overlaps, holes, and offsets beyond the file: all would read what is not the tensor's."""
    position = start
    for tensor in sorted(tensors, key=lambda tensor: (tensor.begin, tensor.end)):
        bits = DTYPE_BITS.get(tensor.dtype)
        if bits is None:
            raise BuildError(f"{path}: {tensor.name} has unknown dtype {tensor.dtype!r}")
        length_bytes = tensor.num_elements * bits // 8
        if (tensor.begin, tensor.end) != (position, position + length_bytes):
            raise BuildError(
                f"{path}: {tensor.name} {tensor.dtype}{list(tensor.shape)} lies at bytes "
                f"{tensor.begin:,} to {tensor.end:,} by its header, and at {position:,} to "
                f"{position + length_bytes:,} by its shape; build it again"
            )
        position = tensor.end
    if position != length:
        raise BuildError(
            f"{path} has {length:,} bytes and its header describes {position:,}; "
            "it was cut or added to: build it again"
        )


def map_bytes(tensor: Tensor) -> NDArray[np.uint8]:
    """Map a tensor's bytes without reading them."""
    if tensor.num_bytes == 0:
        return np.empty(0, np.uint8)
    shape = (tensor.num_bytes,)
    return np.memmap(tensor.path, np.uint8, "r", offset=tensor.begin, shape=shape)


def read_integers(tensor: Tensor) -> NDArray[np.int64]:
    """Read a small integer tensor, flat."""
    kind = np.dtype(INTEGERS[tensor.dtype])
    return np.frombuffer(map_bytes(tensor).tobytes(), kind).astype(np.int64)


def read_floats(tensor: Tensor) -> NDArray[np.float64] | None:
    """Read a float tensor, flat; None where its dtype is no float that numpy can be taught."""
    return decode(map_bytes(tensor).tobytes(), tensor.dtype)


def decode(raw: bytes, dtype: str) -> NDArray[np.float64] | None:
    """Decode the bytes of floats; None where their dtype is none.

    bf16 is the upper half of float32: 0x3F80 << 16 is 0x3F800000, which is 1.0.
    """
    if dtype == "BF16":
        words = np.frombuffer(raw, "<u2").astype(np.uint32) << 16
        return words.view(np.float32).astype(np.float64)
    if dtype == "F8_E8M0":
        return decode_powers(raw)
    if dtype == "F8_E4M3":
        return _decode_e4m3(np.frombuffer(raw, np.uint8))
    kind = FLOATS.get(dtype)
    return None if kind is None else np.frombuffer(raw, kind).astype(np.float64)


def decode_powers(raw: bytes) -> NDArray[np.float64]:
    """Decode powers of two; compressed-tensors stores those of MX formats as plain bytes.

    Example: 0x80 is 2 ** (128 - 127) = 2; 0xFF is NaN. Source: OCP MX specification, 5.4.1.
    """
    exponents = np.frombuffer(raw, np.uint8)
    return np.where(exponents == 0xFF, np.nan, np.exp2(exponents.astype(np.float64) - 127))


def _decode_e4m3(codes: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Decode 1 sign, 4 exponent (bias 7), 3 mantissa bits; no infinity, 0x7F is NaN.

    Example: 0x38 is exponent 7, mantissa 0: 1.0. Source: arXiv 2209.05433, table 1.
    """
    exponent, mantissa = (codes >> 3 & 15).astype(np.float64), (codes & 7).astype(np.float64)
    size = np.where(exponent == 0, mantissa * 2.0**-9, (1 + mantissa / 8) * np.exp2(exponent - 7))
    values = np.where(codes & 0x80, -size, size)
    return np.where((codes & 0x7F) == 0x7F, np.nan, values)
