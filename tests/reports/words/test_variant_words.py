"""A variant's change in words, for every way of changing a model."""

import pytest

from reports.words.variant_words import variant_words
from variants.catalogue import BASES, bf16, variant_of
from variants.specs.spec import Serving

BASE, SERVING = BASES["smollm2-135m-instruct"], Serving()
ADAPTER = f"file:///x#sha256={'0' * 64}"


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("copy", {}, "the baseline once more"),
        ("compiled", {}, "compiled graphs"),
        ("int8_w8a8", {}, "weights and activations in 8-bit integers, rounded to nearest"),
        (
            "int4_w4a16",
            {"algorithm": "awq"},
            "weights in 4-bit integers, groups of 64, by AWQ",
        ),
        ("kv_fp8", {}, "keys and values in FP8, calibrated; keys and values kept in FP8"),
        ("ngram_speculation", {}, "speculation by n-grams of the prompt, 4 tokens a step"),
        (
            "served",
            {"name": "narrow", "arguments": "--max-num-seqs 4"},
            "served with --max-num-seqs 4",
        ),
        ("lora", {"name": "tone", "source": ADAPTER}, "adapters applied while serving: tone"),
        (
            "lora_merged",
            {"name": "tone", "source": ADAPTER},
            "adapter tone merged into the weights",
        ),
        (
            "prebuilt",
            {"name": "theirs", "source": ADAPTER, "scheme": "int8_w8a8"},
            "a checkpoint from elsewhere; weights and activations in 8-bit integers",
        ),
    ],
)
def test_every_way_of_changing_a_model_has_its_words(
    function: str, arguments: dict[str, int | float | str | bool], words: str
) -> None:
    variant = variant_of(function, arguments, BASE, SERVING)
    assert variant_words(variant, bf16(BASE, SERVING)) == words
