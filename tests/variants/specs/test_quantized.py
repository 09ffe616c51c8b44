import pytest

from variants.catalogue import variant_of
from variants.errors import StudyError
from variants.specs.recipes import RECIPES
from variants.specs.spec import (
    Base,
    Calibration,
    KvCache,
    LayerRule,
    Quantization,
    Serving,
    Variant,
)

BASE = Base(source="file:///models/toy")
Options = dict[str, int | float | str | bool]
OWN = f"file:///my/requests.jsonl#sha256={'a' * 64}"


def made(function: str, **options: int | float | str | bool) -> Variant:
    return variant_of(function, options, BASE, Serving())


@pytest.mark.parametrize(
    ("function", "arguments", "name", "quantization"),
    [
        ("int8_w8a8", {}, "int8-w8a8", Quantization(scheme="int8_w8a8")),
        ("fp8_dynamic", {}, "fp8-dynamic", Quantization(scheme="fp8_dynamic")),
        ("int4_w4a16_channel", {}, "int4-w4a16-channel", Quantization(scheme="int4_w4a16")),
        (
            "int4_w4a16",
            {"group_size": 32},
            "int4-w4a16-g32-gptq",
            Quantization(
                scheme="int4_w4a16", algorithm="gptq", group_size=32, calibration=Calibration()
            ),
        ),
        (
            "int4_w4a16",
            {"algorithm": "rtn"},
            "int4-w4a16-g64-rtn",
            Quantization(scheme="int4_w4a16", group_size=64),
        ),
        (
            "int8_w8a8",
            {"algorithm": "smoothquant", "seed": 2, "num_samples": 64},
            "int8-w8a8-smoothquant-n64-s2",
            Quantization(
                scheme="int8_w8a8", algorithm="smoothquant",
                calibration=Calibration(num_samples=64, seed=2),
            ),
        ),
        (
            "fp8_static",
            {"calibration": "stdlib-chat"},
            "fp8-static-stdlib-chat",
            Quantization(scheme="fp8_static", calibration=Calibration(corpus="stdlib-chat")),
        ),
        (
            "mixed_precision",
            {"algorithm": "rtn"},
            "mixed-precision-g64-rtn",
            Quantization(
                scheme="int4_w4a16", group_size=64,
                layers=(LayerRule(pattern=".*down_proj", scheme="int8_w8a8"),),
            ),
        ),
        ("nvfp4a16", {}, "nvfp4a16", Quantization(scheme="nvfp4a16")),
    ],
)  # fmt: skip
def test_what_each_recipe_asks(
    function: str, arguments: Options, name: str, quantization: Quantization
) -> None:
    variant = variant_of(function, arguments, BASE, Serving())
    assert variant.name == name
    assert variant.recipe.quantization == quantization
    assert variant.serving == Serving()


def test_a_cache_in_fp8_is_calibrated_and_asked_of_the_engine() -> None:
    variant = made("kv_fp8", seed=1)
    assert variant.recipe.quantization is None
    assert variant.recipe.kv_cache == KvCache(calibration=Calibration(seed=1))
    assert variant.serving.kv_cache_dtype == "fp8"
    both = made("fp8_static_kv_fp8")
    assert both.recipe.quantization == made("fp8_static").recipe.quantization
    assert both.recipe.kv_cache == KvCache()
    assert both.recipe.calibration == Calibration()


def test_a_file_of_ones_own_is_named_with_its_digest() -> None:
    calibration = made("int4_w4a16", calibration=OWN).recipe.calibration
    assert calibration == Calibration(
        corpus="requests", source="file:///my/requests.jsonl", sha256="a" * 64
    )


def test_variants_that_differ_have_names_that_do() -> None:
    options: list[Options] = [
        {}, {"seed": 1}, {"num_samples": 8}, {"sequence_tokens": 64}, {"group_size": 32},
        {"algorithm": "awq"}, {"calibration": "bfcl-tools"}, {"calibration": OWN},
        {"calibration": OWN.replace("a" * 64, "b" * 64)}, {"ignore": "lm_head, re:.*o_proj"},
    ]  # fmt: skip
    names = [made("int4_w4a16", **one).name for one in options]
    assert len(set(names)) == len(options)


def test_layers_and_what_is_ignored_are_lists_of_patterns() -> None:
    asked = made(
        "mixed_precision",
        algorithm="rtn",
        layers=".*down_proj=int8_w8a8, .*o_proj=int4_w4a16-g32",
        ignore="lm_head, re:.*layers[.]0[.]",
    ).recipe.quantization
    assert asked is not None
    assert asked.layers == (
        LayerRule(pattern=".*down_proj", scheme="int8_w8a8"),
        LayerRule(pattern=".*o_proj", scheme="int4_w4a16", group_size=32),
    )
    assert asked.ignore == ("lm_head", "re:.*layers[.]0[.]")


@pytest.mark.parametrize(
    ("function", "options", "told"),
    [
        ("int8_w8a8", {"algorithm": "awq"}, "'awq' is none of this recipe's: rtn, gptq, smooth"),
        ("int8_w8a8", {"seed": 1}, "rtn reads no calibration data; leave out seed"),
        ("int8_w8a8", {"replicas": 2}, "leave out replicas"),
        ("fp8_dynamic", {"seed": 1}, r"not \['seed'\]"),
        ("fp8_static", {"calibration": "wikitext"}, "corpus"),
        ("fp8_static", {"calibration": "file:///x.jsonl"}, "must end with #sha256="),
        ("mixed_precision", {"layers": ".*down_proj"}, "write PATTERN=SCHEME"),
        ("mixed_precision", {"layers": ".*down_proj=int3"}, "scheme"),
        ("fp8_static", {"replicas": 9}, "replicas"),
    ],
)
def test_options_that_mean_nothing_are_refused(function: str, options: Options, told: str) -> None:
    with pytest.raises(StudyError, match=told):
        variant_of(function, options, BASE, Serving())


def test_every_recipe_says_what_was_published_and_where() -> None:
    for name, line in RECIPES.items():
        told = [*line.algorithms.values(), *([line.expectation] if line.expectation else [])]
        assert told, name
        assert all(one.words and one.source for one in told), name
