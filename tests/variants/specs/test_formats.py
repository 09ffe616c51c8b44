import pytest

from variants.specs.formats import FORMATS, change_class_of, needs_calibration, stored_bytes
from variants.specs.spec import LayerRule, Quantization, Scheme


@pytest.mark.parametrize(
    ("scheme", "group_size", "num_bytes"),
    [
        # 576 x 576 = 331,776 weights
        ("int8_w8a8", None, 331_776 + 576 * 2),
        ("fp8_dynamic", None, 331_776 + 576 * 2),
        ("fp8_static", None, 331_776 + 2 + 2),
        ("fp8_block", None, 331_776 + 5 * 5 * 2),  # 576 / 128 = 4.5: five blocks a side
        ("int4_w4a16", None, 165_888 + 576 * 2 + 16),
        ("int4_w4a16", 64, 165_888 + 576 * 9 * 2 + 16),
        ("nvfp4", None, 165_888 + 576 * 36 + 8),
        ("nvfp4a16", None, 165_888 + 576 * 36 + 4),
        ("mxfp4", None, 165_888 + 576 * 18),
    ],
)
def test_a_layer_takes_its_weights_its_scales_and_what_stands_beside(
    scheme: Scheme, group_size: int | None, num_bytes: int
) -> None:
    assert stored_bytes(576, 576, scheme, group_size) == num_bytes


def test_a_group_size_is_the_recipes_only_where_it_may_choose() -> None:
    assert stored_bytes(576, 576, "nvfp4", 64) == stored_bytes(576, 576, "nvfp4")


def test_static_scales_and_algorithms_that_learn_need_data() -> None:
    assert [one for one in FORMATS if needs_calibration(one, "rtn")] == ["fp8_static", "nvfp4"]
    assert needs_calibration("int4_w4a16", "awq")
    assert not needs_calibration("int8_w8a8", "rtn")


def test_a_mixture_is_judged_as_the_format_that_changes_most() -> None:
    rule = LayerRule(pattern=".*down_proj", scheme="int4_w4a16")
    assert change_class_of(Quantization(scheme="int8_w8a8")) == "8-bit"
    assert change_class_of(Quantization(scheme="int8_w8a8", layers=(rule,))) == "4-bit"
    assert change_class_of(Quantization(scheme="mxfp4")) == "4-bit"
