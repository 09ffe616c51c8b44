from variants.builders.modifiers import ALGORITHMS
from variants.specs.recipes import RECIPES


def test_every_algorithm_of_a_recipe_has_a_modifier() -> None:
    assert {one for line in RECIPES.values() for one in line.algorithms} == set(ALGORITHMS)
