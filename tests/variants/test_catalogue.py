import re

import pytest

from variants.catalogue import BASES, VARIANTS, base_of, bf16, variant_of
from variants.errors import StudyError
from variants.fingerprint import fingerprint
from variants.specs.spec import NAME_PATTERN, Base, Serving, Speculation

BASE = Base(source="file:///models/toy")
SERVING = Serving(kv_cache_bytes=1 << 28)
NEEDED: dict[str, dict[str, int | float | str | bool]] = {
    "served": {"name": "wide", "arguments": "--max-num-seqs 64"},
    "draft_speculation": {"draft": f"file:///x#sha256={'0' * 64}"},
    "eagle_speculation": {"head": f"file:///x#sha256={'0' * 64}"},
    "prebuilt": {"name": "theirs", "source": f"file:///x#sha256={'0' * 64}"},
    "lora": {"name": "poet", "source": f"file:///x#sha256={'0' * 64}"},
    "lora_merged": {"name": "poet-merged", "source": f"file:///x#sha256={'0' * 64}"},
    "loras": {
        "name": "both",
        "sources": f"poet=file:///x#sha256={'0' * 64} clerk=file:///y#sha256={'1' * 64}",
    },
}


def test_the_baseline_is_the_base_served_as_asked() -> None:
    variant = bf16(BASE, SERVING)
    assert variant.name == "baseline"
    assert variant.recipe.quantization is None
    assert variant.serving == SERVING


def test_compiled_changes_the_mode_and_nothing_else() -> None:
    variant = variant_of("compiled", {}, BASE, SERVING)
    assert variant.serving == Serving(kv_cache_bytes=1 << 28, mode="compiled")
    assert variant.recipe == bf16(BASE, SERVING).recipe


def test_speculation_reaches_the_serving() -> None:
    variant = variant_of("ngram_speculation", {"num_tokens": 2}, BASE, SERVING)
    assert variant.name == "ngram-2"
    assert variant.serving.speculation == Speculation(num_tokens=2)


def test_every_variant_has_a_legal_name_and_a_fingerprint_of_its_own() -> None:
    variants = [variant_of(name, NEEDED.get(name, {}), BASE, SERVING) for name in VARIANTS]
    assert all(re.match(NAME_PATTERN, variant.name) for variant in variants)
    assert len({fingerprint(variant) for variant in variants}) == len(VARIANTS)


@pytest.mark.parametrize(
    ("function", "arguments", "told"),
    [
        (
            "int3",
            {},
            "unknown variant 'int3'; the catalogue has: compiled, compiled_at, copy",
        ),
        ("compiled", {"level": 3}, r"takes no arguments, not \['level'\]"),
        (
            "int4_w4a16",
            {"group": 64},
            r"takes \['group_size', 'algorithm', .*\], not \['group'\]",
        ),
        ("int4_w4a16", {"group_size": 4}, "group_size"),
        ("int8_w8a8", {"algorithm": "awq"}, "algorithm"),
        ("ngram_speculation", {"num_tokens": 0}, "num_tokens"),
        ("int4_w4a16", {"base": "x"}, r"not \['base'\]"),
        ("served", {"name": "wide"}, "'served' needs arguments"),
        ("served", {"name": "../up", "arguments": ""}, "cannot be called '../up'"),
        ("served", {"name": "baseline", "arguments": ""}, "cannot be called 'baseline'"),
    ],
)
def test_what_is_not_in_the_catalogue_is_refused(
    function: str, arguments: dict[str, int | float | str | bool], told: str
) -> None:
    with pytest.raises(StudyError, match=told):
        variant_of(function, arguments, BASE, SERVING)


def test_a_base_is_a_name_or_an_address() -> None:
    assert base_of("smollm2-135m-instruct", None) == BASES["smollm2-135m-instruct"]
    digest = "0" * 64
    assert base_of("hf://org/name@main", digest) == Base(source="hf://org/name@main", sha256=digest)
    with pytest.raises(
        StudyError, match=r"unknown base 'gpt'.*smollm2-135m-instruct.*file:///PATH"
    ):
        base_of("gpt", None)
