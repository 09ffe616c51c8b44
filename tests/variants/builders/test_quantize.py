import pytest

from variants.builders.modifiers import ALGORITHMS
from variants.builders.quantize import refusal
from variants.errors import RecipeError
from variants.recipes import RECIPES

ASKED = "int8_w8a8 (rtn)"


def test_every_algorithm_of_a_recipe_has_a_modifier() -> None:
    assert {one for line in RECIPES.values() for one in line.algorithms} == set(ALGORITHMS)


def test_a_tools_refusal_is_a_verdict() -> None:
    told = refusal(ValueError("no mapping for this model"), ASKED)
    assert isinstance(told, RecipeError)
    assert str(told) == (
        "llm-compressor refused int8_w8a8 (rtn): ValueError: no mapping for this model"
    )


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    ],
)
def test_memory_that_runs_out_is_no_verdict(error: Exception) -> None:
    told = refusal(error, ASKED)
    assert not isinstance(told, RecipeError)
    assert "memory ran out while building int8_w8a8 (rtn)" in str(told)
    assert "take fewer or shorter calibration sequences" in str(told)
