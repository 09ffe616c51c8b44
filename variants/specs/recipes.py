"""The recipes that change number formats: each a line of a table.

Expectations are what was published, with the source; none is evidence about another model.
To add one: a line in RECIPES; a format that is new is a line in `variants.specs.formats` and one in
`variants.specs.kernels`, an algorithm that is new one in `variants.builders.modifiers`.
"""

from dataclasses import dataclass, field
from typing import Literal

from variants.specs.spec import Algorithm, Scheme

KURTIC = "Kurtic et al., arXiv 2411.02355"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What was published about a recipe, and where."""

    words: str
    source: str


@dataclass(frozen=True, slots=True)
class RecipeLine:
    """One recipe; the first algorithm is the default, `group_size` None cannot be chosen."""

    what: str
    scheme: Scheme | None  # None: weights stay in bf16
    algorithms: dict[Algorithm, Expectation] = field(default_factory=dict)
    group_size: int | None = None
    kv_cache: Literal["fp8", "int8"] | None = None
    layers: str = ""  # PATTERN=SCHEME of the layers in another format
    expectation: Expectation | None = None  # where there is no algorithm to choose

    @property
    def default(self) -> Algorithm:
        """The algorithm that is used where none is named."""
        return next(iter(self.algorithms), "rtn")


LOSSLESS = Expectation("lossless on Llama 3.1 of 8B, 70B and 405B", KURTIC)
ROUNDED = Expectation(
    "perplexity 10.54 against 8.34 on OPT-175B, where GPTQ has 8.37",
    "Frantar et al., arXiv 2210.17323",
)
RECIPES: dict[str, RecipeLine] = {
    "fp8_dynamic": RecipeLine(
        "FP8 (E4M3) weights per channel, activations per token while serving",
        "fp8_dynamic", {"rtn": LOSSLESS},
    ),
    "fp8_static": RecipeLine(
        "FP8 weights and activations with one calibrated scale a tensor",
        "fp8_static", {"rtn": Expectation(
            "up to 1.6 times the throughput of bf16, little loss", "vLLM documentation, FP8 W8A8")},
    ),
    "fp8_block": RecipeLine(
        "FP8 weights in blocks of 128 x 128, activations in groups of 128",
        "fp8_block", {"rtn": Expectation(
            "training loss within .25 % of bf16", "DeepSeek-V3, arXiv 2412.19437")},
    ),
    "int8_w8a8": RecipeLine(
        "INT8 weights per channel, activations per token while serving",
        "int8_w8a8", {
            "rtn": Expectation("1 to 3 % lost when tuned, as rounding is not", KURTIC),
            "gptq": Expectation("1 to 3 % lost on Llama 3.1", KURTIC),
            "smoothquant": Expectation(
                "close to FP16 on OPT-175B, up to 1.56 times as fast", "arXiv 2211.10438"),
        },
    ),
    "int4_w4a16": RecipeLine(
        "INT4 weights in groups along the input, activations untouched",
        "int4_w4a16", {
            "gptq": Expectation("competitive with INT8; best for synchronous serving", KURTIC),
            "rtn": ROUNDED,
            "awq": Expectation("perplexity below GPTQ's on LLaMA at g128", "arXiv 2306.00978"),
            "autoround": Expectation("near lossless at 4 bits", "Cheng et al., arXiv 2309.05516"),
        }, group_size=64,
    ),
    "int4_w4a16_channel": RecipeLine(
        "INT4 weights with one scale per output channel", "int4_w4a16", {"rtn": ROUNDED},
    ),
    "nvfp4": RecipeLine(
        "FP4 weights and activations in groups of 16 with FP8 scales",
        "nvfp4", {"rtn": Expectation(
            "no automatic gain over INT4; small groups take from outlier methods their effect",
            "Egiazarian et al., arXiv 2509.23202")},
    ),
    "nvfp4a16": RecipeLine(
        "FP4 weights in groups of 16 with FP8 scales, activations untouched",
        "nvfp4a16", {"rtn": Expectation(
            "no automatic gain over INT4", "Egiazarian et al., arXiv 2509.23202")},
    ),
    "mxfp4": RecipeLine(
        "FP4 weights and activations in groups of 32 with power-of-two scales",
        "mxfp4", {"rtn": Expectation(
            "severe loss from power-of-two scales", "Egiazarian et al., arXiv 2509.23202")},
    ),
    "mxfp4a16": RecipeLine(
        "FP4 weights in groups of 32 with power-of-two scales, activations untouched",
        "mxfp4a16", {"rtn": Expectation(
            "worse than NVFP4 and INT4", "Egiazarian et al., arXiv 2509.23202")},
    ),
    "mixed_precision": RecipeLine(
        "INT4 weights, and other formats for the layers that patterns name",
        "int4_w4a16", {"rtn": ROUNDED, "gptq": Expectation(
            "between INT4 and the other format, by the share of layers", "follows from the rest")},
        group_size=64, layers=".*down_proj=int8_w8a8",
    ),
    "kv_fp8": RecipeLine(
        "bf16 weights, FP8 keys and values with calibrated scales", None, kv_cache="fp8",
        expectation=Expectation(
            "twice the tokens per byte of cache; AIME 76.7 against 95.3 where it went wrong",
            "vLLM documentation, quantized KV cache; sglang issue 22671"),
    ),
    "kv_int8": RecipeLine(
        "bf16 weights, INT8 keys and values with calibrated scales", None, kv_cache="int8",
        expectation=Expectation("twice the tokens per byte of cache", "arithmetic"),
    ),
    "fp8_static_kv_fp8": RecipeLine(
        "FP8 weights, activations, keys and values, all with calibrated scales",
        "fp8_static", {"rtn": Expectation(
            "as fp8_static, with twice the tokens per byte of cache", "follows from the two")},
        kv_cache="fp8",
    ),
}  # fmt: skip
