import pytest

from variants.catalogue import VARIANTS, bf16, variant_of
from variants.specs.ladder import SERVING_SETS, change_class, changed_sets, changes_weights
from variants.specs.recipes import RECIPES
from variants.specs.spec import Base, Serving

BASE = Base(source="file:///models/toy")
BASELINE = bf16(BASE, Serving())
NAMED_BY_THE_USER = {
    "served", "prebuilt", "draft_speculation", "eagle_speculation", "lora", "lora_merged", "loras",
}  # fmt: skip


@pytest.mark.parametrize(
    ("function", "sets", "kind"),
    [
        ("copy", set(), "lossless"),
        ("compiled", {"compilation"}, "lossless"),
        ("compiled_at", {"compilation"}, "lossless"),
        ("ngram_speculation", {"speculation"}, "lossless"),
        ("mtp_speculation", {"speculation"}, "lossless"),
        ("int8_w8a8", {"weights"}, "8-bit"),
        ("fp8_dynamic", {"weights"}, "8-bit"),
        ("int4_w4a16", {"weights"}, "4-bit"),
        ("int4_w4a16_channel", {"weights"}, "4-bit"),
        ("fp8_static", {"weights"}, "8-bit"),
        ("fp8_block", {"weights"}, "8-bit"),
        ("nvfp4", {"weights"}, "4-bit"),
        ("nvfp4a16", {"weights"}, "4-bit"),
        ("mxfp4", {"weights"}, "4-bit"),
        ("mxfp4a16", {"weights"}, "4-bit"),
        ("mixed_precision", {"weights"}, "4-bit"),
        ("kv_fp8", {"weights", "kv_cache"}, "8-bit"),
        ("kv_int8", {"weights"}, "8-bit"),
        ("fp8_static_kv_fp8", {"weights", "kv_cache"}, "8-bit"),
    ],
)
def test_what_each_variant_changes(function: str, sets: set[str], kind: str) -> None:
    variant = variant_of(function, {}, BASE, Serving())
    assert changed_sets(variant, BASELINE) == sets
    assert changed_sets(BASELINE, variant) == sets
    assert changes_weights(variant) is ("weights" in sets)
    assert change_class(variant) == kind


def test_the_table_above_is_the_whole_catalogue() -> None:
    assert set(VARIANTS) - NAMED_BY_THE_USER == {
        "copy", "compiled", "compiled_at", "ngram_speculation", "mtp_speculation", *RECIPES,
    }  # fmt: skip


def test_what_the_user_names_changes_what_it_says() -> None:
    served = variant_of("served", {"name": "wide", "arguments": "--x 1"}, BASE, Serving())
    assert changed_sets(served, BASELINE) == {"engine"}
    source = {"name": "theirs", "source": f"file:///x#sha256={'0' * 64}"}
    theirs = variant_of("prebuilt", source, BASE, Serving())
    assert changed_sets(theirs, BASELINE) == {"weights"}
    for function, name in (("draft_speculation", "draft"), ("eagle_speculation", "head")):
        drafted = variant_of(function, {name: source["source"]}, BASE, Serving())
        assert changed_sets(drafted, BASELINE) == {"speculation"}
        assert change_class(drafted) == "lossless"


def test_a_variant_may_change_several_sets() -> None:
    serving = Serving(mode="compiled", max_model_len=512, arguments=("--max-num-seqs", "8"))
    variant = variant_of("int8_w8a8", {}, BASE, serving)
    assert changed_sets(variant, BASELINE) == {"weights", "compilation", "kv_cache", "engine"}
    assert changed_sets(BASELINE, BASELINE) == frozenset()


def test_every_field_of_a_serving_belongs_to_a_set() -> None:
    assert set(SERVING_SETS) == set(Serving.model_fields)
