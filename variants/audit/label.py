"""What an artifact says it is: the quantization_config of compressed-tensors in config.json.

Source: compressed_tensors/quantization/quant_args.py and quant_config.py (version 0.19), as
llm-compressor writes them. One group of settings is understood; mixed ones are refused in words.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from variants.errors import BuildError
from variants.spec import Quantization

NumberType = Literal["int", "float"]


@dataclass(frozen=True, slots=True)
class Label:
    """Number format of the linear layers; group_size None is one scale per output channel."""

    num_bits: int
    number_type: NumberType
    group_size: int | None
    activation_bits: int | None
    ignore: tuple[str, ...]

    def ignores(self, module: str) -> bool:
        """Whether a module is left as it was (a name, or `re:` and a pattern)."""
        return any(
            re.match(entry[3:], module) is not None if entry.startswith("re:") else entry == module
            for entry in self.ignore
        )

    def __str__(self) -> str:
        group = f"groups of {self.group_size}" if self.group_size else "channels"
        return f"{self.number_type}{self.num_bits} in {group}, activations {self.activation_bits}"


class _Numbers(BaseModel):
    model_config = ConfigDict(extra="ignore")

    num_bits: int = Field(ge=1, le=16)
    type: NumberType
    strategy: Literal["channel", "group", "token", "tensor"]
    group_size: int | None = None


class _Group(BaseModel):
    model_config = ConfigDict(extra="ignore")

    weights: _Numbers
    input_activations: _Numbers | None = None


class _QuantizationConfig(BaseModel):
    model_config = ConfigDict(extra="ignore")

    quant_method: Literal["compressed-tensors"]
    config_groups: dict[str, _Group] = Field(min_length=1, max_length=1)
    ignore: tuple[str, ...] = ()


def expect(quantization: Quantization | None) -> Label | None:
    """Say which label a recipe must give; None is unquantized."""
    if quantization is None:
        return None
    bits: dict[str, tuple[int, NumberType, int | None]] = {
        "int8_w8a8": (8, "int", 8),
        "int4_w4a16": (4, "int", None),
        "fp8_dynamic": (8, "float", 8),
    }
    num_bits, number_type, activation_bits = bits[quantization.scheme]
    return Label(
        num_bits, number_type, quantization.group_size, activation_bits, quantization.ignore
    )


def read_label(config: dict[str, object]) -> Label | None:
    """Read the label of a config.json; None where it has none.

    Raises:
        BuildError: the label is one that this audit does not understand.
    """
    if config.get("quantization_config") is None:
        return None
    try:
        read = _QuantizationConfig.model_validate(config["quantization_config"])
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BuildError(
            f"quantization_config.{where}: {first['msg']}; "
            "this audit reads compressed-tensors with one group of settings"
        ) from problem
    (group,) = read.config_groups.values()
    activations = group.input_activations.num_bits if group.input_activations else None
    if group.weights.strategy not in ("channel", "group"):
        raise BuildError(
            f"quantization_config has one weight scale per {group.weights.strategy}; "
            "this audit reads channel and group"
        )
    size = group.weights.group_size if group.weights.strategy == "group" else None
    return Label(group.weights.num_bits, group.weights.type, size, activations, read.ignore)
