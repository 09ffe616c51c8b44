"""The label of compressed-tensors, as llm-compressor writes it.

Source: compressed_tensors/quantization/quant_args.py, quant_scheme.py, quant_config.py (0.19).
"""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from variants.audit.label import Group, KvNumbers, Label, Numbers, NumberType


class _Settings(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Weights(_Settings):
    num_bits: int = Field(ge=1, le=16)
    type: NumberType
    strategy: Literal["tensor", "channel", "group", "block", "tensor_group"]
    group_size: int | None = None
    block_structure: tuple[int, int] | None = None
    symmetric: bool = True


class _Activations(_Settings):
    num_bits: int = Field(ge=1, le=16)
    type: NumberType
    dynamic: bool | Literal["local"] = False


class _Group(_Settings):
    targets: tuple[str, ...] = Field(default=("Linear",), min_length=1)
    weights: _Weights
    input_activations: _Activations | None = None


class _QuantizationConfig(_Settings):
    config_groups: dict[str, _Group] = {}
    ignore: tuple[str, ...] | None = None
    kv_cache_scheme: _Activations | None = None

    @model_validator(mode="after")
    def _something_is_quantized(self) -> Self:
        if not self.config_groups and self.kv_cache_scheme is None:
            raise ValueError("config_groups is empty, and there is no kv_cache_scheme")
        return self


def read_compressed(claimed: Mapping[str, object]) -> Label:
    """Read one or several groups of settings."""
    read = _QuantizationConfig.model_validate(claimed)
    kv = read.kv_cache_scheme
    return Label(
        groups=tuple(
            Group(group.targets, _numbers(group)) for group in read.config_groups.values()
        ),
        ignore=read.ignore or (),
        kv_cache=KvNumbers(kv.num_bits, kv.type, kv.dynamic is False) if kv else None,
    )


def _numbers(group: _Group) -> Numbers:
    weights, inputs = group.weights, group.input_activations
    is_grouped = weights.strategy in ("group", "tensor_group")
    return Numbers(
        num_bits=weights.num_bits,
        number_type=weights.type,
        strategy=weights.strategy,
        group_size=weights.group_size if is_grouped else None,
        block=weights.block_structure if weights.strategy == "block" else None,
        activation_bits=inputs.num_bits if inputs else None,
        # "local": scales of groups are computed while serving, that of the tensor is stored
        has_static_activations=inputs is not None and inputs.dynamic is not True,
        is_symmetric=weights.symmetric,
    )
