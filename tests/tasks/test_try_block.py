"""One block is tried where the whole would cost hours, and its failure is no crash."""

from typing import Any

import pytest

from tasks import try_block as module
from variants.errors import BuildError, EngineError, RecipeError
from variants.specs.spec import Base, Quantization, Recipe, Serving, Variant

BASE = Base(source="file:///models/toy")
INT8 = Recipe(quantization=Quantization(scheme="int8_w8a8"))


class Run:
    """Has a baseline and one variant of other weights."""

    def spec(self, name: str) -> Variant:
        recipe = Recipe() if name == "baseline" else INT8
        return Variant(name=name, base=BASE, recipe=recipe, serving=Serving())


@pytest.mark.parametrize(
    ("own", "baseline", "passed", "told"),
    [
        (None, None, True, "was built, saved and served"),
        (RecipeError("no such layer"), None, False, "the recipe is guilty: no such layer"),
        (EngineError("no kernel"), None, False, "and the baseline's is: no kernel"),
        (EngineError("no kernel"), EngineError("no port"), None, "not even the baseline's block"),
        (BuildError("disk full"), None, None, "could not be tried: disk full"),
    ],
)
def test_what_became_of_one_block(
    own: Exception | None, baseline: Exception | None, passed: bool | None, told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def serve_block(run: Any, recipe: Recipe, serving: Serving) -> None:
        error = own if recipe == INT8 else baseline
        if error is not None:
            raise error

    monkeypatch.setattr(module, "_serve_block", serve_block)
    check = module._tried(Run(), "int8")  # type: ignore[arg-type]
    assert check.passed is passed
    assert told in check.reason
    assert (check.stage, check.name) == ("build", "one-block")
