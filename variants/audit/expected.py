"""Which label a recipe must give.

To add a scheme: one line in FORMATS; a group size of the recipe makes channels into groups.
"""

from collections.abc import Mapping
from dataclasses import replace

from variants.audit.label import ANY_LINEAR, Group, Label, Numbers
from variants.spec import Quantization

FORMATS: Mapping[str, Numbers] = {
    "int8_w8a8": Numbers(8, "int", activation_bits=8),
    "int4_w4a16": Numbers(4, "int"),
    "fp8_dynamic": Numbers(8, "float", activation_bits=8),
}


def expect(quantization: Quantization | None) -> Label | None:
    """Say which label a recipe must give; None is unquantized."""
    if quantization is None:
        return None
    numbers = FORMATS[quantization.scheme]
    if quantization.group_size is not None:
        numbers = replace(numbers, strategy="group", group_size=quantization.group_size)
    return Label((Group((ANY_LINEAR,), numbers),), quantization.ignore)
