"""Memory of a variant, predicted before anything is built: a prior, never evidence.

Worked example, SmolLM2-135M (30 layers, 3 KV heads of 64, hidden 576, bf16):
    KV cache: 2 x 30 x 3 x 64 x 2 bytes = 23,040 bytes per token, and in 1 GiB
    floor(2**30 / (23,040 x 128)) x 128 = 46,592 tokens, the number vLLM's CPU build prints.
    Weights: 134,515,008 parameters x 2 bytes = 269,030,016 bytes.

Source of the formula: Kwon et al., "Efficient Memory Management for Large Language Model Serving
with PagedAttention" (SOSP 2023), section 3; block size: vLLM's CPU build (research/platform.md).
"""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from variants.errors import StudyError
from variants.specs.fitting import scheme_of
from variants.specs.formats import BF16_BYTES, stored_bytes
from variants.specs.spec import Quantization

BLOCK_TOKENS = 128  # vLLM's CPU build
BYTES_PER_VALUE = BF16_BYTES  # of weights and KV cache alike


class ModelShape(BaseModel):
    """The sizes in a Llama-like config.json that memory follows from."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    num_hidden_layers: int = Field(ge=1)
    hidden_size: int = Field(ge=1)
    intermediate_size: int = Field(ge=1)
    num_attention_heads: int = Field(ge=1)
    num_key_value_heads: int = Field(ge=1)
    head_dim: int = Field(ge=1)
    vocab_size: int = Field(ge=1)
    tie_word_embeddings: bool = False

    @property
    def linears(self) -> dict[str, tuple[int, int]]:
        """Shapes (out, in) of one block's linear layers, by name."""
        hidden, inner = self.hidden_size, self.intermediate_size
        query = self.num_attention_heads * self.head_dim
        key = self.num_key_value_heads * self.head_dim
        return {
            "self_attn.q_proj": (query, hidden),
            "self_attn.k_proj": (key, hidden),
            "self_attn.v_proj": (key, hidden),
            "self_attn.o_proj": (hidden, query),
            "mlp.gate_proj": (inner, hidden),
            "mlp.up_proj": (inner, hidden),
            "mlp.down_proj": (hidden, inner),
        }


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a variant fits, and the sum in words."""

    fits: bool
    reason: str
    needed_bytes: int


def read_shape(config: dict[str, object]) -> ModelShape:
    """Read the sizes from a config.json; heads default as transformers defaults them.

    Raises:
        StudyError: a size is missing or no number.
    """
    heads, hidden = config.get("num_attention_heads"), config.get("hidden_size")
    filled = {**config, "num_key_value_heads": config.get("num_key_value_heads") or heads}
    if not config.get("head_dim") and isinstance(heads, int) and isinstance(hidden, int):
        filled["head_dim"] = hidden // heads
    try:
        return ModelShape.model_validate(filled)
    except ValidationError as problem:
        missing = ", ".join(str(error["loc"][0]) for error in problem.errors())
        raise StudyError(
            f"config.json does not tell {missing}; memory can be predicted for Llama-like models: "
            "add the fields, or choose another base"
        ) from problem


def kv_bytes_per_token(shape: ModelShape, bytes_per_value: int = BYTES_PER_VALUE) -> int:
    """Return the bytes of keys and values that one token keeps in all layers."""
    heads = shape.num_key_value_heads * shape.head_dim
    return 2 * shape.num_hidden_layers * heads * bytes_per_value


def kv_cache_tokens(
    shape: ModelShape, kv_cache_bytes: int, block_tokens: int = BLOCK_TOKENS
) -> int:
    """Return the tokens that a KV cache holds, in whole blocks."""
    return kv_cache_bytes // (kv_bytes_per_token(shape) * block_tokens) * block_tokens


def predict_weight_bytes(shape: ModelShape, quantization: Quantization | None) -> int:
    """Return the bytes of all tensors: linear layers in their format, the rest in bf16."""
    embeddings = shape.vocab_size * shape.hidden_size * (1 if shape.tie_word_embeddings else 2)
    norms = (2 * shape.num_hidden_layers + 1) * shape.hidden_size
    linears = sum(
        _linear_bytes(f"model.layers.{block}.{name}", sides, quantization)
        for block in range(shape.num_hidden_layers)
        for name, sides in shape.linears.items()
    )
    return (embeddings + norms) * BYTES_PER_VALUE + linears


def _linear_bytes(module: str, sides: tuple[int, int], quantization: Quantization | None) -> int:
    found = scheme_of(module, quantization)
    if found is None:
        return sides[0] * sides[1] * BYTES_PER_VALUE
    return stored_bytes(*sides, *found)


def check_fit(
    weight_bytes: int, kv_cache_bytes: int, overhead_bytes: int, memory_bytes: int
) -> Fit:
    """Compare what weights, KV cache and the engine itself need with what the target has."""
    needed = weight_bytes + kv_cache_bytes + overhead_bytes
    words = (
        f"weights {weight_bytes:,} + KV cache {kv_cache_bytes:,} + engine {overhead_bytes:,} "
        f"= {needed:,} bytes, the target has {memory_bytes:,}"
    )
    if needed <= memory_bytes:
        return Fit(True, f"fits: {words}", needed)
    return Fit(False, f"does not fit: {words}; lower kv_cache_bytes or use a larger target", needed)
