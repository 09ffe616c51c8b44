"""What a variant is: a base, a recipe that changes its weights, and the way it is served.

Specs are frozen values with a fingerprint (`variants.fingerprint`); functions that return full
ones live in `variants.catalogue`. A spec never holds a path, a clock or a client.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from variants.specs.origins import BASE_NAME, NAME_PATTERN, Adapter, Base, Grown, Prebuilt, Spec
from variants.specs.serving import DRAFTING, Compilation, Serving, Speculation, SpeculationMethod

Scheme = Literal[
    "int8_w8a8", "int4_w4a16", "fp8_dynamic", "fp8_static", "fp8_block",
    "nvfp4", "nvfp4a16", "mxfp4", "mxfp4a16",
]  # fmt: skip
Algorithm = Literal["rtn", "gptq", "smoothquant", "awq", "autoround"]
Corpus = Literal["stdlib-docstrings", "stdlib-code", "stdlib-chat", "bfcl-tools", "requests"]
__all__ = [
    "BASE_NAME", "DRAFTING", "NAME_PATTERN", "Adapter", "Algorithm", "Base", "Calibration",
    "Compilation", "Corpus", "Grown", "KvCache", "LayerRule", "Prebuilt", "Quantization", "Recipe",
    "Scheme", "Serving", "Spec", "Speculation", "SpeculationMethod", "Variant",
]  # fmt: skip


class Calibration(Grown):
    """A seeded draw of a calibration set; its content digest is recorded with the artifact."""

    added = frozenset({"source", "sha256"})

    corpus: Corpus = "stdlib-docstrings"
    source: str = Field(default="", description="of corpus 'requests': file:///PATH of a JSONL")
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$", description="of that file")
    num_samples: int = Field(default=32, ge=1, le=4096, description="sequences")
    sequence_tokens: int = Field(default=256, ge=16, le=8192, description="tokens per sequence")
    seed: int = 0

    @model_validator(mode="after")
    def _requests_have_a_file(self) -> Self:
        if (self.corpus == "requests") != bool(self.source and self.sha256):
            raise ValueError("corpus 'requests' needs source and sha256 of its file; others none")
        return self


class LayerRule(Spec):
    """Another number format for the linear layers whose name a pattern matches from its start."""

    pattern: str = Field(min_length=1, description="regular expression, such as .*down_proj")
    scheme: Scheme
    group_size: int | None = Field(default=None, ge=8)


class Quantization(Grown):
    """A change of number format of the linear layers."""

    added = frozenset({"layers"})

    scheme: Scheme
    algorithm: Algorithm = "rtn"
    group_size: int | None = Field(
        default=None, ge=8, description="weights per scale; None is one scale per output channel"
    )
    calibration: Calibration | None = None
    ignore: tuple[str, ...] = Field(
        default=("lm_head",), description="left as they are: names, or re: and a pattern"
    )
    layers: tuple[LayerRule, ...] = Field(
        default=(), description="formats of single layers; the first that matches counts"
    )


class KvCache(Spec):
    """A number format of keys and values, with scales found on calibration text."""

    scheme: Literal["fp8", "int8"] = "fp8"
    calibration: Calibration = Calibration()


class Recipe(Grown):
    """How the weights are made from the base; without a quantization they are bf16."""

    added = frozenset({"kv_cache", "adapter"})

    quantization: Quantization | None = None
    prebuilt: Prebuilt | None = None
    kv_cache: KvCache | None = None
    adapter: Adapter | None = Field(default=None, description="merged into the weights, first")

    @property
    def calibration(self) -> Calibration | None:
        """What shaped the artifact besides the weights, if anything did."""
        weights = self.quantization.calibration if self.quantization else None
        return weights or (self.kv_cache.calibration if self.kv_cache else None)


class Variant(Grown):
    """One candidate: a name, the base, a recipe and a way of serving."""

    added = frozenset({"replicas"})

    name: str = Field(max_length=63)
    base: Base
    recipe: Recipe = Recipe()
    serving: Serving = Serving()
    replicas: int = Field(
        default=0, ge=0, le=8, description="further builds of the recipe on other draws"
    )
