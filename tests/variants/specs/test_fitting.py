import re

import pytest

from variants.audit.linears import Linear
from variants.specs.fitting import misfits
from variants.specs.spec import LayerRule, Prebuilt, Quantization, Recipe

ATTENTION, MLP = ("q_proj", "k_proj", "v_proj", "o_proj"), ("gate_proj", "up_proj", "down_proj")


def model(hidden: int, inner: int) -> tuple[Linear, ...]:
    """Two blocks of a Llama-like model."""
    shapes = dict.fromkeys(ATTENTION, (hidden, hidden)) | {
        "gate_proj": (inner, hidden),
        "up_proj": (inner, hidden),
        "down_proj": (hidden, inner),
    }
    return tuple(
        Linear(f"model.layers.{block}.{'mlp' if name in MLP else 'self_attn'}.{name}", shape, {})
        for block in range(2)
        for name, shape in shapes.items()
    )


SMOLLM2 = model(576, 1536)  # 576 = 2**6 x 9, 1536 = 2**9 x 3
LLAMA = model(4096, 14336)  # 2**12, 2**11 x 7
ODD = model(100, 300)


def int4(group_size: int | None) -> Recipe:
    return Recipe(quantization=Quantization(scheme="int4_w4a16", group_size=group_size))


@pytest.mark.parametrize(
    ("linears", "group_size"),
    [(SMOLLM2, None), (SMOLLM2, 16), (SMOLLM2, 32), (SMOLLM2, 64), (LLAMA, 128), (ODD, None)],
)
def test_group_sizes_that_divide(linears: tuple[Linear, ...], group_size: int | None) -> None:
    assert misfits(int4(group_size), linears) == []


@pytest.mark.parametrize(
    ("linears", "group_size", "told"),
    [
        (SMOLLM2, 128, "group_size 128 does not divide layer width 576 (widths [576, 1536]); "
                       "use one of [64, 32, 16]"),
        (SMOLLM2, 1536, "does not divide layer width 576"),
        (LLAMA, 4096, "does not divide layer width 14336 (widths [4096, 14336]); "
                      "use one of [256, 128, 64, 32, 16]"),
        (ODD, 64, "use one of [], or no group_size"),
    ],
)  # fmt: skip
def test_group_sizes_that_do_not(linears: tuple[Linear, ...], group_size: int, told: str) -> None:
    (problem,) = misfits(int4(group_size), linears)
    assert re.search(re.escape(told), problem)


def test_a_fixed_group_that_does_not_divide_names_other_recipes() -> None:
    (told,) = misfits(Recipe(quantization=Quantization(scheme="nvfp4")), ODD)
    assert "group_size 16 does not divide layer width 100" in told
    assert "nvfp4 has no other; use int8_w8a8 or fp8_dynamic" in told


def test_layers_that_are_left_out_need_not_fit() -> None:
    quantization = Quantization(
        scheme="int4_w4a16", group_size=256, ignore=("lm_head", "re:.*self_attn", "re:.*(gate|up)")
    )
    assert misfits(Recipe(quantization=quantization), SMOLLM2) == []


def test_a_pattern_of_experts_matches_nothing_in_a_dense_model() -> None:
    quantization = Quantization(scheme="int8_w8a8", ignore=("re:.*mlp.experts.*",))
    (told,) = misfits(Recipe(quantization=quantization), SMOLLM2)
    assert "matches none of 14 linear layers" in told
    rule = LayerRule(pattern=".*experts.*", scheme="int4_w4a16")
    (told,) = misfits(Recipe(quantization=Quantization(scheme="int8_w8a8", layers=(rule,))), ODD)
    assert "experts on a dense one" in told


def test_a_pattern_that_is_none_is_told() -> None:
    quantization = Quantization(scheme="int8_w8a8", ignore=("re:(",))
    (told,) = misfits(Recipe(quantization=quantization), SMOLLM2)
    assert "'re:(' is no pattern" in told


def test_a_recipe_that_leaves_everything_as_it_was_is_none() -> None:
    quantization = Quantization(scheme="int8_w8a8", ignore=("re:.*",))
    assert "left as it was" in misfits(Recipe(quantization=quantization), SMOLLM2)[0]


def test_what_an_engine_loads_as_one_layer_has_one_format() -> None:
    rule = LayerRule(pattern=".*v_proj", scheme="int8_w8a8")
    mixed = Quantization(scheme="int4_w4a16", group_size=64, layers=(rule,))
    (told,) = misfits(Recipe(quantization=mixed), SMOLLM2)
    assert "q_proj is int4_w4a16 and model.layers.0.self_attn.v_proj is int8_w8a8" in told
    left_out = Quantization(scheme="int8_w8a8", ignore=("re:.*up_proj",))
    (told,) = misfits(Recipe(quantization=left_out), SMOLLM2)
    assert "gate_proj is int8_w8a8 and model.layers.0.mlp.up_proj is bf16" in told
    whole = LayerRule(pattern=".*down_proj", scheme="int8_w8a8")
    fine = Quantization(scheme="int4_w4a16", group_size=64, layers=(whole,))
    assert misfits(Recipe(quantization=fine), SMOLLM2) == []


def test_what_is_not_built_here_is_the_audits_to_judge() -> None:
    made = Prebuilt(source="file:///x", sha256="0" * 64)
    claimed = Recipe(quantization=int4(4096).quantization, prebuilt=made)
    assert misfits(claimed, SMOLLM2) == []
    assert misfits(Recipe(), SMOLLM2) == []
