"""What llm-compressor is asked for: one list of modifiers per recipe.

Sources: GPTQ (Frantar et al., arXiv 2210.17323), SmoothQuant (Xiao et al., arXiv 2211.10438), AWQ
(Lin et al., arXiv 2306.00978), AutoRound (Cheng et al., arXiv 2309.05516). Each is a line of
`ALGORITHMS`; RTN rounds to nearest and needs no data.
"""

from collections.abc import Callable
from typing import Any

from variants.specs.formats import FORMATS, GROUPED
from variants.specs.spec import KvCache, Quantization, Scheme

SMOOTHING = 0.8  # llm-compressor's own for Llama-like models (examples/quantization_w8a8_int8)
AUTOROUND_ITERS = 200  # the paper's own


def modifiers(quantization: Quantization | None, kv_cache: KvCache | None) -> list[Any]:
    """Return the modifiers of a recipe, in the order they are applied."""
    kv_scheme = {"kv_cache_scheme": _kv_scheme(kv_cache)} if kv_cache else {}
    if quantization is None:
        from llmcompressor.modifiers.quantization import QuantizationModifier  # noqa: PLC0415

        return [QuantizationModifier(targets=[], **kv_scheme)]
    settings = {"config_groups": _groups(quantization), "ignore": list(quantization.ignore)}
    return ALGORITHMS[quantization.algorithm]({**settings, **kv_scheme})


def _rtn(settings: dict[str, Any]) -> list[Any]:
    from llmcompressor.modifiers.quantization import QuantizationModifier  # noqa: PLC0415

    return [QuantizationModifier(**settings)]


def _gptq(settings: dict[str, Any]) -> list[Any]:
    from llmcompressor.modifiers.gptq import GPTQModifier  # noqa: PLC0415

    return [GPTQModifier(**settings)]


def _smoothquant(settings: dict[str, Any]) -> list[Any]:
    from llmcompressor.modifiers.transform.smoothquant import SmoothQuantModifier  # noqa: PLC0415

    return [SmoothQuantModifier(smoothing_strength=SMOOTHING), *_rtn(settings)]


def _awq(settings: dict[str, Any]) -> list[Any]:
    from llmcompressor.modifiers.transform.awq import AWQModifier  # noqa: PLC0415

    _pin_no_memory_without_device()
    return [AWQModifier(), *_rtn(settings)]


def _pin_no_memory_without_device() -> None:
    """Let AWQ run on a CPU: llm-compressor 0.14 pins memory for a device, and fails without one.

    Pinning makes copies faster and changes no byte. This is the builder's own process.
    """
    import torch  # noqa: PLC0415
    from llmcompressor.pipelines.cache import IntermediatesCache  # noqa: PLC0415

    if not torch.accelerator.is_available():
        IntermediatesCache.pin_memory = lambda *_, **__: None


def _autoround(settings: dict[str, Any]) -> list[Any]:
    from llmcompressor.modifiers.autoround import AutoRoundModifier  # noqa: PLC0415

    return [AutoRoundModifier(iters=AUTOROUND_ITERS, enable_torch_compile=False, **settings)]


ALGORITHMS: dict[str, Callable[[dict[str, Any]], list[Any]]] = {
    "rtn": _rtn,
    "gptq": _gptq,
    "smoothquant": _smoothquant,
    "awq": _awq,
    "autoround": _autoround,
}


def _groups(quantization: Quantization) -> dict[str, Any]:
    """Return one group of settings per format; the layers of a rule leave the general one."""
    rules = {
        f"layers_{number}": _scheme(rule.scheme, rule.group_size, [f"re:{rule.pattern}"])
        for number, rule in enumerate(quantization.layers)
    }
    general = _scheme(quantization.scheme, quantization.group_size, ["Linear"])
    return {**rules, "linear": general}


def _scheme(scheme: Scheme, group_size: int | None, targets: list[str]) -> Any:
    from compressed_tensors.quantization import (  # noqa: PLC0415
        QuantizationArgs,
        QuantizationScheme,
        preset_name_to_scheme,
    )

    if scheme not in GROUPED:
        return preset_name_to_scheme(FORMATS[scheme].preset, targets)
    weights = QuantizationArgs(
        num_bits=FORMATS[scheme].weight_bits,
        type=FORMATS[scheme].number_type,
        strategy="group" if group_size else "channel",
        group_size=group_size,
        symmetric=True,
    )
    return QuantizationScheme(targets=targets, weights=weights)


def _kv_scheme(kv_cache: KvCache) -> Any:
    from compressed_tensors.quantization import QuantizationArgs  # noqa: PLC0415

    number = "float" if kv_cache.scheme == "fp8" else "int"
    return QuantizationArgs(
        num_bits=8, type=number, strategy="tensor", dynamic=False, symmetric=True
    )
