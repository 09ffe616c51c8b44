"""Read what config.json claims, whichever program wrote it.

Sources: compressed_tensors/quantization/quant_config.py (version 0.19); the `quantization_config`
of AutoGPTQ and GPTQModel, AutoAWQ, and fine-grained FP8 in transformers (version 5.17,
utils/quantization_config.py). A method that is not read is refused by its name.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from variants.audit.compressed import read_compressed
from variants.audit.label import ANY_LINEAR, Group, Label, Numbers, check_patterns
from variants.errors import BuildError

# Left out by the method, whatever its list says: a head that may not exist, or what is no block.
HEAD = "re:(.*\\.)?lm_head$"
ROUTER = "re:.*\\.gate$"
NO_BLOCK = "re:(?!(.*\\.)?(layers|h|blocks)\\.\\d+\\.)"
UNREAD: Mapping[str, str] = {
    "bitsandbytes": "its weights lie in blocks behind absmax tables",
    "gguf": "it is a file of another format",
    "modelopt": "it is a label of NVIDIA ModelOpt",
}


class _Foreign(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Gptq(_Foreign):
    bits: Literal[2, 3, 4, 8]
    group_size: int = Field(ge=-1)
    sym: bool = True
    lm_head: bool = False


class _Awq(_Foreign):
    bits: Literal[4] = 4
    group_size: int = Field(ge=-1, default=128)
    zero_point: bool = True
    modules_to_not_convert: tuple[str, ...] | None = None


class _Fp8(_Foreign):
    activation_scheme: Literal["dynamic", "static"] = "dynamic"
    weight_block_size: tuple[int, int] | None = None
    modules_to_not_convert: tuple[str, ...] | None = None
    ignored_layers: tuple[str, ...] | None = None


def read_label(config: Mapping[str, object]) -> Label | None:
    """Read the label of a config.json; None where it has none.

    Raises:
        BuildError: the label is one that this audit does not understand.
    """
    claimed = config.get("quantization_config")
    if claimed is None:
        return None
    if not isinstance(claimed, dict):
        raise BuildError(f"quantization_config is {claimed!r}, no object; build the artifact again")
    method = _method(claimed)
    if method not in READERS:
        why = UNREAD.get(method, "its storage is not known here")
        raise BuildError(
            f"quantization_config.quant_method is {method!r}: {why}; this audit reads "
            f"{', '.join(READERS)}: convert the checkpoint to compressed-tensors"
        )
    try:
        label = READERS[method](claimed)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BuildError(
            f"quantization_config.{where}: {first['msg']}; this audit does not read such a label "
            f"of {method}"
        ) from problem
    targets = [target for group in label.groups for target in group.targets]
    if wrong := check_patterns((*targets, *label.ignore)):
        raise BuildError(f"quantization_config: {wrong}; correct it in config.json")
    return label


def _method(claimed: Mapping[str, object]) -> str:
    """Return the method; auto-round writes the layout of one of the others."""
    method = str(claimed.get("quant_method"))
    if method in ("auto-round", "intel/auto-round"):
        packing = str(claimed.get("packing_format", ""))
        return next((name for name in ("gptq", "awq") if name in packing), method)
    return method


def _read_gptq(claimed: Mapping[str, object]) -> Label:
    read = _Gptq.model_validate(claimed)
    numbers = _grouped(read.bits, read.group_size, read.sym)
    implied = () if read.lm_head else (NO_BLOCK,)
    return Label((Group((ANY_LINEAR,), numbers),), (), implied, method="gptq")


def _read_awq(claimed: Mapping[str, object]) -> Label:
    read = _Awq.model_validate(claimed)
    numbers = _grouped(read.bits, read.group_size, not read.zero_point)
    ignore = _anywhere(read.modules_to_not_convert)
    return Label((Group((ANY_LINEAR,), numbers),), ignore, (NO_BLOCK,), method="awq")


def _read_fp8(claimed: Mapping[str, object]) -> Label:
    read = _Fp8.model_validate(claimed)
    numbers = Numbers(
        num_bits=8,
        number_type="float",
        strategy="block" if read.weight_block_size else "tensor",
        block=read.weight_block_size,
        activation_bits=8,
        has_static_activations=read.activation_scheme == "static",
    )
    ignore = _anywhere(read.modules_to_not_convert or read.ignored_layers)
    return Label((Group((ANY_LINEAR,), numbers),), ignore, (HEAD, ROUTER), method="fp8")


def _grouped(bits: int, group_size: int, is_symmetric: bool) -> Numbers:
    """-1 is one scale per output channel."""
    if group_size <= 0:
        return Numbers(bits, "int", is_symmetric=is_symmetric)
    return Numbers(bits, "int", "group", group_size, is_symmetric=is_symmetric)


def _anywhere(names: tuple[str, ...] | None) -> tuple[str, ...]:
    """These methods look for a part of a name anywhere in it."""
    return tuple(f"re:.*{_escaped(name)}" for name in names or ())


def _escaped(name: str) -> str:
    return name.replace(".", r"\.")


READERS: dict[str, Callable[[Mapping[str, object]], Label]] = {
    "compressed-tensors": read_compressed,
    "gptq": _read_gptq,
    "awq": _read_awq,
    "fp8": _read_fp8,
}
