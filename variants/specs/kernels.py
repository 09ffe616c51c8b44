"""Which machines have a kernel for a number format: what vLLM 0.32 runs it by, and where.

Read off vLLM 0.32.0: get_min_capability of each scheme in model_executor/layers/quantization/
compressed_tensors/schemes, is_supported of the CPU kernels in model_executor/kernels/linear, and
its documentation (features/quantization: FP8 from 8.9 on, INT8 from 7.5 to below 10.0). A format
that is only emulated, or silently served as another one, counts as one without a kernel: on this
CPU an emulated FP8 product gave no two tokens in 75 s.

Example: fp8_dynamic on a CPU needs the instruction set amx_fp8; one that has amx_tile alone runs
fp8_static (its weights are unpacked to bf16), and int8_w8a8 anywhere.
"""

from dataclasses import dataclass
from typing import Literal

from variants.hardware import Hardware
from variants.specs.spec import Recipe, Scheme

ENGINE = "vLLM 0.32"
Capability = tuple[int, int]
CacheScheme = Literal["fp8", "int8"]


@dataclass(frozen=True, slots=True)
class Kernel:
    """Where one number format runs; None for a kind of target is: nowhere on it."""

    from_capability: Capability | None
    below_capability: Capability | None = None
    cpu_flag: str | None = None  # "" is: on every CPU
    remedy: str = "choose another recipe"

    @property
    def needs(self) -> str:
        """Say in a few words where it runs."""
        gpu = f"compute capability {_dotted(self.from_capability)} up" if (
            self.from_capability
        ) else ""  # fmt: skip
        if self.below_capability:
            gpu = gpu.replace(" up", f" to below {_dotted(self.below_capability)}")
        cpu = {None: "", "": "any CPU"}.get(self.cpu_flag, f"a CPU with {self.cpu_flag}")
        return f"{ENGINE}: {' or '.join(part for part in (gpu, cpu) if part) or 'no kernel'}"


WEIGHT_ONLY = "int4_w4a16 has a kernel on every CPU and from compute capability 7.5 on"
TO_INT8 = "use int8_w8a8, which has a kernel on every CPU"
TO_BLACKWELL = f"run on compute capability 10.0 (Blackwell), or use nvfp4a16; {WEIGHT_ONLY}"
KERNELS: dict[Scheme, Kernel] = {
    "int8_w8a8": Kernel((7, 5), (10, 0), "", "use fp8_dynamic from compute capability 8.9 on"),
    "int4_w4a16": Kernel((7, 5), None, "", "run on compute capability 7.5 or later"),
    "fp8_dynamic": Kernel((8, 9), None, "amx_fp8", TO_INT8),
    "fp8_static": Kernel((8, 9), None, "amx_tile", TO_INT8),
    "fp8_block": Kernel((8, 9), None, "amx_tile", TO_INT8),
    "nvfp4": Kernel((10, 0), None, None, TO_BLACKWELL),
    "nvfp4a16": Kernel((7, 5), None, None, WEIGHT_ONLY),
    "mxfp4": Kernel((10, 0), None, None, TO_BLACKWELL.replace("nvfp4a16", "mxfp4a16")),
    "mxfp4a16": Kernel((8, 0), None, None, WEIGHT_ONLY),
}
CACHE_KERNELS: dict[CacheScheme, Kernel] = {
    "fp8": Kernel((8, 9), None, "", "leave the KV cache in bf16"),
    "int8": Kernel(None, None, None, "this engine reads calibrated FP8 scales alone: use kv_fp8"),
}


def why_not(kernel: Kernel, name: str, hardware: Hardware) -> str:
    """Say why a target cannot run a format, and what to do; '' where it can."""
    if _runs(kernel, hardware):
        return ""
    return (
        f"{name} has no kernel here ({_target(hardware)}); it needs {kernel.needs}; {kernel.remedy}"
    )


def missing_kernels(recipe: Recipe, hardware: Hardware) -> list[str]:
    """Say of each format in a recipe that a target cannot run why, and what to do."""
    quantization, cache = recipe.quantization, recipe.kv_cache
    schemes: list[Scheme] = []
    if quantization is not None:
        schemes = [quantization.scheme, *(rule.scheme for rule in quantization.layers)]
    told = [why_not(KERNELS[one], one, hardware) for one in dict.fromkeys(schemes)]
    if cache is not None:
        told.append(why_not(CACHE_KERNELS[cache.scheme], f"KV cache {cache.scheme}", hardware))
    return [words for words in told if words]


def _runs(kernel: Kernel, hardware: Hardware) -> bool:
    if hardware.target == "cpu":
        return kernel.cpu_flag is not None and (
            not kernel.cpu_flag or kernel.cpu_flag in hardware.cpu_flags
        )
    has = [_capability(one.compute_capability) for one in hardware.accelerators]
    return kernel.from_capability is not None and bool(has) and all(
        kernel.from_capability <= one < (kernel.below_capability or (1000, 0)) for one in has
    )  # fmt: skip


def _target(hardware: Hardware) -> str:
    if hardware.target == "cpu":
        return f"CPU with {', '.join(hardware.cpu_flags) or 'no flag that decides kernels'}"
    found = [f"{one.name}, {one.compute_capability}" for one in hardware.accelerators]
    return "; ".join(dict.fromkeys(found)) or "no GPU answers on this machine"


def _capability(text: str) -> Capability:
    major, _, minor = text.partition(".")
    return (int(major), int(minor or 0)) if major.isdigit() else (0, 0)


def _dotted(capability: Capability | None) -> str:
    return ".".join(map(str, capability or ()))
