"""Faults in the weights: noise, a layer of zeros, a layer that adds nothing, a row of NaN.

Each is put into a copy of a checkpoint in place, by the tensors' headers; where it lands is drawn.
The list is of research/evaluation.md section 9, "Validate the gate itself".

Worked example: int8 codes of root mean square 30 and a sigma of 0.1: each code moves by a draw of
standard deviation 3, rounded. bf16 keeps the upper half of a float32, so 1.0 (0x3F800000) is
0x3F80, and 0x7FC0 is NaN.
"""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from variants.audit.linears import list_linears
from variants.audit.safetensors import Tensor, read_floats
from variants.audit.tensors import read_config, read_tensors
from variants.errors import BuildError

Fault = Callable[[Path, random.Random], str]  # changes a folder, and says what it did
BF16_NAN = 0x7FC0
NORMS = ("input_layernorm.weight", "post_attention_layernorm.weight")


def noise(sigma: float) -> Fault:
    """Return a fault that adds Gaussian noise, relative to each matrix's root mean square."""

    def add(folder: Path, draws: random.Random) -> str:
        generator = np.random.default_rng(draws.getrandbits(64))
        linears = list_linears(read_tensors(folder))
        for one in linears:
            _add_noise(one.parts["weight"], sigma, generator)
        return f"noise of {sigma:g} of each matrix's root mean square, in {len(linears)} matrices"

    return add


def _add_noise(tensor: Tensor, sigma: float, generator: np.random.Generator) -> None:
    if tensor.dtype == "I8":
        codes = np.frombuffer(_read(tensor), np.int8).astype(np.float64)
        moved = codes + generator.normal(0.0, sigma * _rms(codes), codes.shape)
        _write(tensor, np.clip(np.rint(moved), -128, 127).astype(np.int8).tobytes())
        return
    values = read_floats(tensor)
    if tensor.dtype != "BF16" or values is None:
        raise BuildError(f"{tensor.name} is {tensor.dtype}; noise is added to BF16 and I8 alone")
    noisy = values + generator.normal(0.0, sigma * _rms(values), values.shape)
    _write(tensor, to_bf16(noisy).tobytes())


def to_bf16(values: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Round finite numbers to the nearest bf16, ties to even.

    Example: 1.00390625 (0x3F808000) lies midway between 0x3F80 and 0x3F81, and becomes 0x3F80.
    """
    words = values.astype("<f4").view(np.uint32).astype(np.uint64)
    return ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype("<u2")


def _rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values * values)))


def zero_layer(folder: Path, draws: random.Random) -> str:
    """Zero every tensor of one layer."""
    layer = _draw_layer(folder, draws)
    tensors = _of_layer(folder, layer)
    for tensor in tensors:
        _write(tensor, bytes(tensor.num_bytes))
    return f"all {len(tensors)} tensors of layer {layer} zeroed"


def silence_layer(folder: Path, draws: random.Random) -> str:
    """Zero the two norms of one layer: its matrices stay, and it adds nothing any more."""
    layer = _draw_layer(folder, draws)
    for tensor in _of_layer(folder, layer):
        if tensor.name.endswith(NORMS):
            _write(tensor, bytes(tensor.num_bytes))
    return f"the norms of layer {layer} zeroed, so that it adds nothing"


def break_row(folder: Path, draws: random.Random) -> str:
    """Put NaN into one row of one matrix."""
    matrices = [one for _, one in sorted(read_tensors(folder).items()) if len(one.shape) == 2]
    tensor = draws.choice([one for one in matrices if one.dtype == "BF16"])
    row = draws.randrange(tensor.shape[0])
    size = 2 * tensor.shape[1]
    content = bytearray(_read(tensor))
    content[row * size : (row + 1) * size] = BF16_NAN.to_bytes(2, "little") * tensor.shape[1]
    _write(tensor, bytes(content))
    return f"NaN in row {row} of {tensor.name}"


def _draw_layer(folder: Path, draws: random.Random) -> int:
    number = read_config(folder)["num_hidden_layers"]
    assert isinstance(number, int), "a checkpoint that was audited says how many layers it has"
    return draws.randrange(number)


def _of_layer(folder: Path, layer: int) -> list[Tensor]:
    tensors = read_tensors(folder)
    return [one for name, one in sorted(tensors.items()) if f".layers.{layer}." in name]


def _read(tensor: Tensor) -> bytes:
    with tensor.path.open("rb") as stream:
        stream.seek(tensor.begin)
        return stream.read(tensor.num_bytes)


def _write(tensor: Tensor, content: bytes) -> None:
    assert len(content) == tensor.num_bytes, "a fault changes values, never sizes"
    with tensor.path.open("r+b") as stream:
        stream.seek(tensor.begin)
        stream.write(content)
