from evals.planning.feasible import check_kernels, check_recipe
from tests.variants.specs.test_fitting import SMOLLM2
from tests.variants.specs.test_kernels import PLAIN
from variants.specs.spec import Quantization, Recipe


def test_a_recipe_without_a_kernel_is_refused_at_planning() -> None:
    check = check_kernels(Recipe(quantization=Quantization(scheme="nvfp4")), PLAIN)
    assert (check.stage, check.name, check.passed) == ("plan", "kernel", False)
    assert "nvfp4 has no kernel here" in check.reason
    assert check_kernels(Recipe(quantization=Quantization(scheme="int8_w8a8")), PLAIN).passed


def test_a_recipe_that_does_not_fit_is_refused_before_the_build() -> None:
    wide = Recipe(quantization=Quantization(scheme="int4_w4a16", group_size=128))
    check = check_recipe(wide, SMOLLM2)
    assert (check.stage, check.name, check.passed) == ("plan", "recipe", False)
    assert "use one of [64, 32, 16]" in check.reason
    assert check_recipe(Recipe(), SMOLLM2).reason == "the recipe fits 14 linear layers"
