"""The label that each scheme must give, as compressed-tensors' own presets have it."""

import pytest

from variants.audit.compressed import read_compressed
from variants.audit.expected import expect, numbers_of
from variants.audit.label import Numbers
from variants.specs.spec import KvCache, LayerRule, Quantization, Scheme


@pytest.mark.parametrize(
    ("scheme", "numbers"),
    [
        ("int8_w8a8", Numbers(8, "int", "channel", activation_bits=8)),
        ("int4_w4a16", Numbers(4, "int", "channel")),
        ("fp8_dynamic", Numbers(8, "float", "channel", activation_bits=8)),
        (
            "fp8_static",
            Numbers(8, "float", "tensor", activation_bits=8, has_static_activations=True),
        ),
        ("fp8_block", Numbers(8, "float", "block", block=(128, 128), activation_bits=8)),
        (
            "nvfp4",
            Numbers(4, "float", "tensor_group", 16, activation_bits=4, has_static_activations=True),
        ),
        ("nvfp4a16", Numbers(4, "float", "tensor_group", 16)),
        ("mxfp4", Numbers(4, "float", "group", 32, activation_bits=4)),
        ("mxfp4a16", Numbers(4, "float", "group", 32)),
    ],
)
def test_what_each_scheme_must_say(scheme: Scheme, numbers: Numbers) -> None:
    assert numbers_of(scheme) == numbers


def test_a_rule_comes_before_the_general_format() -> None:
    rule = LayerRule(pattern=".*down_proj", scheme="int8_w8a8")
    label = expect(Quantization(scheme="int4_w4a16", group_size=64, layers=(rule,)))
    assert label is not None
    assert label.numbers_of("model.layers.0.mlp.down_proj") == numbers_of("int8_w8a8")
    assert label.numbers_of("model.layers.0.mlp.up_proj") == numbers_of("int4_w4a16", 64)
    assert label.numbers_of("lm_head") is None


def test_a_cache_alone_leaves_every_layer_as_it_was() -> None:
    label = expect(None, KvCache(scheme="fp8"))
    assert label is not None
    assert label.numbers_of("model.layers.0.mlp.up_proj") is None
    assert str(label) == "KV cache float8 static"
    assert expect(None) is None


def test_a_label_of_a_cache_alone_is_read_and_an_empty_one_is_not() -> None:
    cache = {"num_bits": 8, "type": "float", "dynamic": False}
    assert read_compressed({"config_groups": {}, "kv_cache_scheme": cache}).groups == ()
    with pytest.raises(ValueError, match="config_groups is empty"):
        read_compressed({"config_groups": {}})
