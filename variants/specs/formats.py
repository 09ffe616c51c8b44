"""The number formats a linear layer can be stored in, and the bytes each takes.

Presets are compressed-tensors' own (quantization/quant_scheme.py, version 0.19); INT4 takes the
group size of the recipe instead of the preset's 128.

Example: a layer of 576 x 576 (331,776 weights) takes
    int8_w8a8           331,776 + 576 scales x 2             = 332,928 bytes
    int4_w4a16, g64     165,888 + 576 x 9 scales x 2 + 16    = 176,272 bytes (16: its shape)
    nvfp4               165,888 + 576 x 36 scales + 4 + 4    = 186,632 bytes (two global scales)
"""

from dataclasses import dataclass
from typing import Literal

from variants.specs.spec import Algorithm, Quantization, Scheme

ChangeClass = Literal["lossless", "8-bit", "4-bit", "adapter"]
BLOCK = 128  # rows and columns of a block of fp8_block, as DeepSeek-V3 has them
BF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class Format:
    """One number format; `group_size` None is one scale per output channel or per tensor."""

    preset: str
    weight_bits: int
    number_type: Literal["int", "float"]
    activation_bits: int | None
    scales: Literal["channel", "tensor", "block", "group"]
    scale_bytes: int
    change_class: ChangeClass
    group_size: int | None = None
    extra_bytes: int = 0  # of a layer: its shape, global scales, the scale of its input
    is_static: bool = False  # activations have scales found on calibration data


FORMATS: dict[Scheme, Format] = {
    "int8_w8a8": Format("W8A8", 8, "int", 8, "channel", 2, "8-bit"),
    "int4_w4a16": Format("W4A16", 4, "int", None, "channel", 2, "4-bit", extra_bytes=16),
    "fp8_dynamic": Format("FP8_DYNAMIC", 8, "float", 8, "channel", 2, "8-bit"),
    "fp8_static": Format("FP8", 8, "float", 8, "tensor", 2, "8-bit", extra_bytes=2, is_static=True),
    "fp8_block": Format("FP8_BLOCK", 8, "float", 8, "block", 2, "8-bit"),
    "nvfp4": Format(
        "NVFP4", 4, "float", 4, "group", 1, "4-bit", group_size=16, extra_bytes=8, is_static=True
    ),
    "nvfp4a16": Format(
        "NVFP4A16", 4, "float", None, "group", 1, "4-bit", group_size=16, extra_bytes=4
    ),
    "mxfp4": Format("MXFP4", 4, "float", 4, "group", 1, "4-bit", group_size=32),
    "mxfp4a16": Format("MXFP4A16", 4, "float", None, "group", 1, "4-bit", group_size=32),
}
CALIBRATED: frozenset[Algorithm] = frozenset({"gptq", "smoothquant", "awq", "autoround"})
GROUPED: frozenset[Scheme] = frozenset({"int4_w4a16"})  # whose group size a recipe may choose


def needs_calibration(scheme: Scheme, algorithm: Algorithm) -> bool:
    """Whether a build reads calibration data."""
    return FORMATS[scheme].is_static or algorithm in CALIBRATED


def group_size_of(scheme: Scheme, group_size: int | None) -> int | None:
    """Return the weights per scale along the input; None where scales are not along it."""
    return group_size if scheme in GROUPED else FORMATS[scheme].group_size


def stored_bytes(rows: int, columns: int, scheme: Scheme, group_size: int | None = None) -> int:
    """Return the bytes of one linear layer: packed weights, scales, and what stands beside them."""
    kind = FORMATS[scheme]
    word = 4 if scheme in GROUPED else 1  # INT4 is packed into words of 32 bits, FP4 into bytes
    packed = rows * -(-columns * kind.weight_bits // (8 * word)) * word
    return (
        packed
        + _num_scales(rows, columns, scheme, group_size) * kind.scale_bytes
        + (kind.extra_bytes)
    )


def _num_scales(rows: int, columns: int, scheme: Scheme, group_size: int | None) -> int:
    group = group_size_of(scheme, group_size)
    if group:
        return rows * -(-columns // group)
    if FORMATS[scheme].scales == "block":
        return -(-rows // BLOCK) * -(-columns // BLOCK)
    return rows if FORMATS[scheme].scales == "channel" else 1


def change_class_of(quantization: Quantization) -> ChangeClass:
    """Return the class of the format that changes most among a recipe's layers."""
    schemes = [quantization.scheme, *(rule.scheme for rule in quantization.layers)]
    classes: list[ChangeClass] = [FORMATS[scheme].change_class for scheme in schemes]
    return "4-bit" if "4-bit" in classes else "8-bit"
