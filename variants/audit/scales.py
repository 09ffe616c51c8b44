"""Are all scales there, in shape, finite and above zero, layer by layer and expert by expert?

A scale of zero silences its channel; a missing one is read as zero or one by loaders that say
nothing, and the inverse of zero is infinite: text then breaks for some prompts only
(research/pipelines.md section 3, class A). Below zero a scale turns its weights' signs. AutoRound
does so on purpose, that a group's largest weight may use the one code more below zero (-8 of -8 to
7): weights alone, as symmetric integers, may have such scales; activations and floats never.

Example: 4 bits in groups of 128 over a layer of 4096 x 11008 need scales of [4096, 86].
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, Numbers
from variants.audit.linears import Linear
from variants.audit.numbers import is_scale
from variants.audit.safetensors import (
    DTYPE_BITS,
    FLOATS,
    Tensor,
    decode,
    decode_powers,
    map_bytes,
)
from variants.audit.size import bits_problem

PIECE = 1 << 18  # scales; 2 MiB once decoded
FEW = 8  # experts named
FLOAT_DTYPES = frozenset({*FLOATS, "BF16", "F8_E4M3", "F8_E8M0", "U8"})  # U8: powers of two
Tests = Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]
NO_SIGNED_SCALE: Tests = {
    "NaN": np.isnan,
    "infinite": np.isinf,
    "zero": lambda values: values == 0,
}
NO_SCALE: Tests = {**NO_SIGNED_SCALE, "negative": lambda values: values < 0}
PLACE = re.compile(r"(?:^|\.)(?:layers|h|blocks)\.(\d+)\.(?:.*\.experts\.(\d+)\.)?")


def check_scales(
    tensors: dict[str, Tensor], linears: tuple[Linear, ...], label: Label | None
) -> AuditFinding:
    """Look for each quantized layer's scales, and read every scale there is."""
    scales = {name: tensor for name, tensor in sorted(tensors.items()) if is_scale(name)}
    problems = [
        problem
        for one in linears
        if label is not None and not one.is_plain and (problem := _layer_problem(one, label))
    ]
    signed = _may_be_signed(linears, label)
    problems += [
        problem
        for name, tensor in scales.items()
        if (problem := _value_problem(tensor, NO_SIGNED_SCALE if name in signed else NO_SCALE))
    ]
    praise = f"{len(scales)} scale tensors are there, finite and none zero"
    return judge("scales", problems, praise, num_scales=len(scales))


def _may_be_signed(linears: tuple[Linear, ...], label: Label | None) -> frozenset[str]:
    """Name the scales that turn no sign a code could not have: of weights as symmetric integers."""
    return frozenset(
        one.scale.name
        for one in linears
        if label is not None
        and one.scale is not None
        and (numbers := label.numbers_of(one.module)) is not None
        and numbers.number_type == "int"
        and numbers.is_symmetric
        and numbers.activation_bits is None
    )


def _layer_problem(one: Linear, label: Label) -> str:
    numbers = label.numbers_of(one.module)
    if numbers is None or bits_problem(one, numbers):  # another width is the bits' finding
        return ""
    if missing := [name for name in needed(numbers, label.method) if _lacks(one, name)]:
        return f"{one.module}{_place(f'{one.module}.')} has no {missing[0]}"
    assert one.scale is not None, "it is needed of every method"
    expected = scale_shape(one.shape, numbers)
    seen = one.scale.shape[::-1] if label.method in ("gptq", "awq") else one.scale.shape
    if _bare(seen) == _bare(expected) and math.prod(seen) == math.prod(expected):
        return ""
    return f"{one.module} has scales {list(one.scale.shape)}, expected {list(expected)}: {numbers}"


def _lacks(one: Linear, name: str) -> bool:
    return not any(either in one.parts for either in name.split(" or "))


def needed(numbers: Numbers, method: str) -> tuple[str, ...]:
    """Name the parts that a loader multiplies or shifts with."""
    if method in ("gptq", "awq"):
        return ("scales", "qzeros")
    static = ("input_scale or activation_scale",) if numbers.has_static_activations else ()
    if method == "fp8":
        return ("weight_scale_inv or weight_scale", *static)
    if numbers.strategy == "tensor_group":
        inputs = ("input_global_scale",) if numbers.has_static_activations else ()
        return ("weight_scale", "weight_global_scale", *inputs)
    zero = () if numbers.is_symmetric else ("weight_zero_point",)
    return ("weight_scale", *zero, *static)


def scale_shape(shape: tuple[int, int], numbers: Numbers) -> tuple[int, ...]:
    """Return the shape of the scales of a layer [out, in]."""
    rows, columns = shape
    if numbers.strategy == "tensor":
        return (1,)
    if numbers.strategy == "block":
        assert numbers.block is not None, "the label of blocks has their size"
        return (-(-rows // numbers.block[0]), -(-columns // numbers.block[1]))
    group = numbers.group_size or columns
    return (rows, -(-columns // group))


def _bare(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Leave out axes of length one: [64, 1] and [64] are the same scales."""
    return tuple(size for size in shape if size != 1)


def _value_problem(tensor: Tensor, tests: Tests) -> str:
    if tensor.dtype not in FLOAT_DTYPES:
        return f"{tensor.name} is {tensor.dtype}, which is no number format of scales"
    counts, wrong = dict.fromkeys(tests, 0), set[int]()
    per_expert = max(1, math.prod(tensor.shape[1:]))
    for start, values in _pieces(tensor):
        found = {kind: np.flatnonzero(holds(values)) for kind, holds in tests.items()}
        for kind, places in found.items():
            counts[kind] += places.size
            wrong |= set(np.unique((start + places) // per_expert).tolist())
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    experts = _experts(tensor, wrong)
    where = f"{tensor.name}{_place(tensor.name)}{experts}"
    return f"{where} holds {told} of {tensor.num_elements}" if told else ""


def _pieces(tensor: Tensor) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the first index and the values of each piece: groups of 16 make large tensors."""
    raw = map_bytes(tensor)
    width = DTYPE_BITS[tensor.dtype] // 8
    for start in range(0, tensor.num_elements, PIECE):
        piece = raw[start * width : (start + PIECE) * width].tobytes()
        values = decode_powers(piece) if tensor.dtype == "U8" else decode(piece, tensor.dtype)
        assert values is not None, "its data type was looked at"
        yield start, values


def _place(name: str) -> str:
    """Say which layer, and which expert."""
    found = PLACE.search(name)
    if not found or found[2] is None:
        return f" (layer {found[1]})" if found else ""
    return f" (layer {found[1]}, expert {found[2]})"


def _experts(tensor: Tensor, wrong: set[int]) -> str:
    """Name the experts, where one tensor holds the scales of all."""
    if len(tensor.shape) != 3 or ".experts." not in tensor.name:
        return ""
    return f" (experts {', '.join(map(str, sorted(wrong)[:FEW]))})"
