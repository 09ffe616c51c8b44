"""How an artifact is served: engine, compilation, caches, speculation, adapters."""

from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from variants.specs.origins import BASE_NAME, Adapter, Base, Grown, Spec

SpeculationMethod = Literal["ngram", "draft_model", "eagle", "eagle3", "mtp"]
DRAFTING = ("draft_model", "eagle", "eagle3")  # methods that bring weights of their own


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

    added = frozenset({"kv_cache_dtype", "compilation", "adapters"})

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
    adapters: tuple[Adapter, ...] = Field(
        default=(),
        max_length=32,
        description="applied by the engine, unmerged: the first answers, the others are resident",
    )

    @model_validator(mode="after")
    def _only_compiled_serving_compiles(self) -> Self:
        if self.compilation is not None and self.mode != "compiled":
            raise ValueError("a compile level asks for mode compiled; eager serving has none")
        return self

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
