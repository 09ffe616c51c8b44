"""python -m variants.catalogue [--target cpu|cuda]: every recipe, and whether this target has it.

Sizes are arithmetic on two shapes, linear layers in the recipe's format and the rest in bf16.

Example: SmolLM2-135M holds 30 blocks of 7 linear layers (106,168,320 weights) and 28,346,688 other
weights: in INT8 30 x (3,538,944 + 2 x 5,184 scales) + 56,693,376 = 163,172,736 bytes.
"""

import argparse
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from variants.catalogue import VARIANTS, bf16
from variants.hardware import Hardware, Target, describe
from variants.specs.formats import BF16_BYTES, FORMATS, stored_bytes
from variants.specs.kernels import CACHE_KERNELS, KERNELS, missing_kernels
from variants.specs.ladder import change_class
from variants.specs.quantized import Quantized, options_of
from variants.specs.recipes import RecipeLine
from variants.specs.spec import Base, Quantization, Serving, Variant

ANY_BASE = Base(source="file:///base")
# What a function asks for that has no default, so that its class can be told.
_ADDRESS = f"file:///x#sha256={'0' * 64}"
EXAMPLES = {
    "name": "x", "arguments": "", "source": _ADDRESS, "sources": f"x={_ADDRESS}",
    "draft": _ADDRESS, "head": _ADDRESS,
}  # fmt: skip
WRITTEN = "a suite answered in writing"
NEEDS = {
    "copy": "nothing",
    "compiled": "minutes to compile, once for each machine, engine and artifact",
    "compiled_at": "minutes to compile; a GPU where graph_sizes are asked",
    "ngram_speculation": WRITTEN,
    "draft_speculation": f"{WRITTEN}; a smaller model of the same vocabulary",
    "eagle_speculation": f"{WRITTEN}; a head that was trained for the base",
    "mtp_speculation": f"{WRITTEN}; a base that brings prediction layers",
    "served": "arguments that the engine knows",
    "prebuilt": "a checkpoint of the base, and what it was calibrated with",
    "lora": "an adapter of the base, from a source that the study admits",
    "lora_merged": "an adapter of the base, from a source that the study admits",
    "loras": "adapters of the base, from sources that the study admits",
}


@dataclass(frozen=True, slots=True)
class Model:
    """Shapes of one model's linear layers, as (out, in), and its other weights."""

    name: str
    num_blocks: int
    linears: tuple[tuple[int, int], ...]
    num_other: int


def _llama(name: str, blocks: int, sizes: tuple[int, int, int], other: int) -> Model:
    hidden, key, inner = sizes
    attention = ((hidden, hidden), (key, hidden), (key, hidden), (hidden, hidden))
    mlp = ((inner, hidden), (inner, hidden), (hidden, inner))
    return Model(name, blocks, (*attention, *mlp), other)


MODELS = (
    # 49,152 x 576 tied, 61 norms of 576
    _llama("SmolLM2-135M", 30, (576, 192, 1536), 49152 * 576 + 61 * 576),
    # 2 x 128,256 x 4,096, 65 norms of 4,096
    _llama("Llama-3.1-8B", 32, (4096, 1024, 14336), 2 * 128256 * 4096 + 65 * 4096),
)


def model_bytes(model: Model, quantization: Quantization | None) -> int:
    """Estimate the bytes of all weights; a recipe's rules for single layers are left out."""
    block = sum(_linear(rows, columns, quantization) for rows, columns in model.linears)
    return model.num_blocks * block + model.num_other * BF16_BYTES


def _linear(rows: int, columns: int, quantization: Quantization | None) -> int:
    if quantization is None:
        return rows * columns * BF16_BYTES
    return stored_bytes(rows, columns, quantization.scheme, quantization.group_size)


def main(arguments: Sequence[str]) -> int:
    """List the catalogue; 0."""
    parser = argparse.ArgumentParser(
        prog="python -m variants.catalogue",
        description="List every variant of the catalogue: what it is, what it needs, its size, "
        "what was published of it, and whether this target has a kernel for it.",
        epilog="A study names them under `variants:`, with options: {int4_w4a16: {seed: 1}}.",
    )
    parser.add_argument("--target", choices=get_args(Target), default="cpu")
    target: Target = parser.parse_args(arguments).target
    hardware = describe(target)
    for name, function in VARIANTS.items():
        variant = function(ANY_BASE, Serving(), **_needed(function))
        told = (
            _quantized(function, variant, hardware)
            if isinstance(function, Quantized)
            else _served(name, function)
        )
        first = (inspect.getdoc(function) or "").splitlines()[0]
        lines = [f"{name}  [{change_class(variant)}]  {first}", *told]
        sys.stdout.write("\n    ".join(lines) + "\n")
    sys.stdout.write(_closing(hardware))
    return 0


def _served(name: str, function: object) -> Iterator[str]:
    """Tell of what changes no number format: any target's engine takes it, if its needs are met."""
    yield f"needs {NEEDS[name]}"
    options = [
        text if one.default is inspect.Parameter.empty else f"{text}: {one.default or 'none'}"
        for text, one in _parameters(function).items()
        if text not in ("base", "serving")
    ]
    if options:
        yield f"options {', '.join(options)}"


def _parameters(function: object) -> Mapping[str, inspect.Parameter]:
    assert callable(function), "the catalogue holds functions"
    return inspect.signature(function).parameters


def _needed(function: object) -> dict[str, str]:
    return {
        name: EXAMPLES[name]
        for name, one in _parameters(function).items()
        if one.default is inspect.Parameter.empty and name in EXAMPLES
    }


def _quantized(function: Quantized, variant: Variant, hardware: Hardware) -> Iterator[str]:
    missing = missing_kernels(variant.recipe, hardware)
    yield f"here: {'no: ' + '; '.join(missing) if missing else 'yes'}"
    yield f"needs {_needs(function.line)}"
    quantization = variant.recipe.quantization
    sizes = [f"{one.name} {model_bytes(one, quantization) / 1e9:.3g} GB" for one in MODELS]
    yield f"size {_bytes_per_weight(quantization):.3f} bytes per weight: {', '.join(sizes)}"
    yield f"options {', '.join(f'{k}: {v}' for k, v in options_of(function.line).items())}"
    for algorithm, one in function.line.algorithms.items():
        yield f"expect of {algorithm}: {one.words} ({one.source})"
    if function.line.expectation:
        yield f"expect: {function.line.expectation.words} ({function.line.expectation.source})"


def _needs(line: RecipeLine) -> str:
    needs = [KERNELS[line.scheme].needs] if line.scheme else []
    needs += [f"for the cache {CACHE_KERNELS[line.kv_cache].needs}"] if line.kv_cache else []
    calibrated = line.kv_cache or (line.scheme and FORMATS[line.scheme].is_static)
    return "; ".join([*needs, *(["calibration data"] if calibrated else [])])


def _bytes_per_weight(quantization: Quantization | None) -> float:
    model = MODELS[-1]
    weights = sum(rows * columns for rows, columns in model.linears)
    return sum(_linear(rows, columns, quantization) for rows, columns in model.linears) / weights


def _closing(hardware: Hardware) -> str:
    found = ", ".join(one.name for one in hardware.accelerators) or hardware.cpu_model
    baseline = bf16(ANY_BASE, Serving()).name
    return (
        f"\n{len(VARIANTS)} variants besides the {baseline}; target {hardware.target} ({found}). "
        "Sizes leave out rules for single layers; bytes per weight are of the 8B's linear layers.\n"
    )
