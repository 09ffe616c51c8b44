"""LoRA variants: what their specs say, what changes by them, and what keys stay as they were."""

import pytest

from variants.catalogue import bf16, variant_of
from variants.errors import StudyError
from variants.fingerprint import canonical_json
from variants.specs.ladder import answers_in_process, change_class, changed_sets, changes_weights
from variants.specs.spec import Adapter, Base, Recipe, Serving

BASE = Base(source="file:///models/toy")
BASELINE = bf16(BASE, Serving())
SOURCE = f"file:///a#sha256={'0' * 64}"
BOTH = f"poet={SOURCE} clerk=hf://acme/clerk@main#sha256={'1' * 64}&licence=mit&base={'2' * 64}"


def test_an_adapter_that_the_engine_applies_keeps_the_weights_and_names_the_model() -> None:
    variant = variant_of("lora", {"name": "poet", "source": SOURCE}, BASE, Serving())
    assert variant.serving.served_name == "poet"
    assert variant.serving.adapters == (Adapter(name="poet", source="file:///a", sha256="0" * 64),)
    assert changed_sets(variant, BASELINE) == {"adapter"}
    assert (changes_weights(variant), answers_in_process(variant)) == (False, False)
    assert change_class(variant) == "adapter"


def test_a_merged_one_is_other_weights_under_the_base_s_name() -> None:
    variant = variant_of("lora_merged", {"name": "poet", "source": SOURCE}, BASE, Serving())
    assert variant.serving.served_name == "model"
    assert changed_sets(variant, BASELINE) == {"weights"}
    assert (changes_weights(variant), answers_in_process(variant)) == (True, True)
    assert change_class(variant) == "adapter"


def test_on_a_quantized_base_both_are_changed_and_the_server_is_judged() -> None:
    arguments = {"name": "poet", "source": SOURCE, "on": "int4_w4a16-g64"}
    variant = variant_of("lora", arguments, BASE, Serving())
    assert variant.recipe.quantization is not None
    assert variant.recipe.quantization.group_size == 64
    assert changed_sets(variant, BASELINE) == {"weights", "adapter"}
    assert (changes_weights(variant), answers_in_process(variant)) == (True, False)
    merged = variant_of("lora_merged", arguments, BASE, Serving())
    assert merged.recipe.quantization == variant.recipe.quantization
    assert answers_in_process(merged)


def test_of_several_the_one_asked_answers() -> None:
    arguments = {"name": "both", "sources": BOTH}
    first = variant_of("loras", arguments, BASE, Serving()).serving
    assert [one.name for one in first.adapters] == ["poet", "clerk"]
    second = variant_of("loras", {**arguments, "asked": "clerk"}, BASE, Serving()).serving
    assert [one.name for one in second.adapters] == ["clerk", "poet"]
    assert second.served_name == "clerk"
    assert second.adapters[0].licence == "mit"
    assert second.adapters[0].base_sha256 == "2" * 64


@pytest.mark.parametrize(
    ("function", "arguments", "told"),
    [
        ("lora", {"name": "poet", "source": "file:///a"}, "#sha256="),
        ("lora", {"name": "poet", "source": f"{SOURCE}&rank=8"}, "says 'rank'"),
        ("lora", {"name": "poet", "source": "file:///a#sha256=12"}, "sha256"),
        ("lora", {"name": "model", "source": SOURCE}, "the base is served so"),
        ("lora", {"name": "poet", "source": SOURCE, "on": "int3"}, "int3"),
        ("loras", {"name": "both", "sources": f"poet={SOURCE} poet={SOURCE}"}, "of one name"),
        ("loras", {"name": "both", "sources": ""}, "the adapters are"),
        ("loras", {"name": "both", "sources": BOTH, "asked": "cook"}, "asked is 'cook'"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    function: str, arguments: dict[str, int | float | str | bool], told: str
) -> None:
    with pytest.raises(StudyError, match=told):
        variant_of(function, arguments, BASE, Serving())


def test_specs_without_an_adapter_keep_the_bytes_that_artifacts_were_keyed_by() -> None:
    assert canonical_json(Recipe()) == '{"prebuilt":null,"quantization":null}'
    assert "adapters" not in canonical_json(Serving())
    assert Recipe.model_validate(Recipe().model_dump()) == Recipe()
