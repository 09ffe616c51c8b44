import pytest

from evals.planning.memory import (
    check_fit,
    kv_bytes_per_token,
    kv_cache_tokens,
    predict_weight_bytes,
    read_shape,
)
from variants.errors import StudyError
from variants.specs.spec import Quantization

SMOLLM2: dict[str, object] = {
    "num_hidden_layers": 30,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "vocab_size": 49152,
    "tie_word_embeddings": True,
    "rope_parameters": {"rope_type": "default"},
}


def test_kv_cache_of_smollm2_as_vllm_prints_it() -> None:
    shape = read_shape(SMOLLM2)
    assert kv_bytes_per_token(shape) == 23_040  # 2 x 30 x 3 x 64 x 2
    assert kv_cache_tokens(shape, 1 << 30) == 46_592  # "CPU KV cache size: 46,592 tokens"
    # The same engine prints 93,184 with an FP8 cache: half the bytes per token.
    assert kv_bytes_per_token(shape, bytes_per_value=1) * 93_184 == 23_040 * 46_592
    assert kv_cache_tokens(shape, 23_040 * 128 - 1) == 0


@pytest.mark.parametrize(
    ("quantization", "num_bytes"),
    [
        # data_offsets' end in the files that llm-compressor 0.14 wrote of SmolLM2-135M-Instruct
        (None, 269_030_016),
        (Quantization(scheme="int8_w8a8"), 163_172_736),
        (Quantization(scheme="fp8_dynamic"), 163_172_736),
        (Quantization(scheme="fp8_static"), 162_862_536),
        (Quantization(scheme="int4_w4a16"), 110_091_936),
        # groups of 64: 106,168,320 / 64 scales instead of 155,520, two bytes each
        (Quantization(scheme="int4_w4a16", group_size=64), 110_091_936 + 2 * (1_658_880 - 155_520)),
    ],
)
def test_weights_of_smollm2_to_the_byte(quantization: Quantization | None, num_bytes: int) -> None:
    assert predict_weight_bytes(read_shape(SMOLLM2), quantization) == num_bytes


def test_an_untied_head_is_a_second_table() -> None:
    untied = read_shape({**SMOLLM2, "tie_word_embeddings": False})
    assert predict_weight_bytes(untied, None) == 269_030_016 + 49152 * 576 * 2


def test_heads_default_as_transformers_defaults_them() -> None:
    config = {k: v for k, v in SMOLLM2.items() if k not in ("head_dim", "num_key_value_heads")}
    shape = read_shape(config)
    assert (shape.head_dim, shape.num_key_value_heads) == (64, 9)  # 576 / 9


def test_a_config_that_does_not_tell_is_named() -> None:
    config = {k: v for k, v in SMOLLM2.items() if k != "intermediate_size"}
    with pytest.raises(StudyError, match="does not tell intermediate_size"):
        read_shape(config)
    with pytest.raises(StudyError, match="num_hidden_layers"):
        read_shape({**SMOLLM2, "num_hidden_layers": "many"})


def test_fit_shows_the_sum() -> None:
    fits = check_fit(100, 200, 300, memory_bytes=600)
    assert (fits.fits, fits.needed_bytes) == (True, 600)
    refused = check_fit(100, 200, 300, memory_bytes=599)
    assert not refused.fits
    assert "weights 100 + KV cache 200 + engine 300 = 600 bytes" in refused.reason
    assert "has 599" in refused.reason
    assert "lower kv_cache_bytes" in refused.reason
