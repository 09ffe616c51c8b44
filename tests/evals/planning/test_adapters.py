import pytest

from evals.planning.adapters import check_memory, slot_bytes
from evals.planning.memory import ModelShape
from variants.catalogue import variant_of
from variants.errors import EngineError
from variants.specs.spec import Base, Serving

SMOLLM2 = ModelShape(
    num_hidden_layers=30, hidden_size=576, intermediate_size=1536, num_attention_heads=9,
    num_key_value_heads=3, head_dim=64, vocab_size=49152, tie_word_embeddings=True,
)  # fmt: skip
SOURCES = f"poet=file:///a#sha256={'0' * 64} clerk=file:///b#sha256={'1' * 64}"


def test_the_worked_example_of_a_slot() -> None:
    assert slot_bytes(SMOLLM2, [16]) == 9_768_960
    assert slot_bytes(SMOLLM2, [4, 12]) == 9_768_960  # both are as wide as the wider one asks
    with pytest.raises(EngineError, match="rank 1000, vLLM serves up to 512"):
        slot_bytes(SMOLLM2, [1000])


def test_one_process_is_compared_with_one_for_each() -> None:
    base = Base(source="file:///toy")
    spec = variant_of("loras", {"name": "both", "sources": SOURCES}, base, Serving())
    check = check_memory(SMOLLM2, [4, 12], spec, memory_bytes=12_000_000_000)
    alone = 269_030_016 + (1 << 30) + 4_000_000_000
    assert check.passed
    assert check.values["predicted_adapter_bytes"] == 2 * 9_768_960
    assert check.values["one_process_bytes"] == alone + 2 * 9_768_960
    # of its own process the first takes a slot of rank 8, half as wide
    assert check.values["separate_bytes"] == 2 * alone + 9_768_960 + 4_884_480
    assert not check_memory(SMOLLM2, [4, 12], spec, memory_bytes=9_000_000_000).passed
