"""The fresh repeats are held to the same rules as those that chose the champion."""

from collections.abc import Iterable
from typing import Any

import pytest

from evals.gates.confirmation import confirm_gain
from evals.results import Cell
from evals.study import Study
from tests.evals.gates.worked import STUDY, cells
from variants.errors import PromotionError


def fresh(speedup: float = 1.25, **changes: Any) -> list[Cell]:
    """Return five repeats of the objective's cell; `changes` are of the variant's third."""
    return [
        cell.model_copy(update=changes) if (cell.arm, cell.repeat) == ("variant", 2) else cell
        for cell in cells(speedup)
        if cell.name == "closed-1"
    ]


def test_a_gain_that_is_measured_again_is_told() -> None:
    said = confirm_gain(STUDY, fresh())
    assert said.startswith("tpot_ms in closed-1 measured again: 20 % better [")  # 1 - .9998 / 1.25
    assert said.endswith("5 repeats")


def test_a_higher_objective_is_confirmed_when_it_is_higher() -> None:
    rate = {"metric": "output_tokens_per_s", "cell": "closed-1"}
    study = Study.model_validate({**STUDY.model_dump(), "objective": rate})
    assert "25 % better" in confirm_gain(study, fresh())
    with pytest.raises(PromotionError, match="not confirmed"):
        confirm_gain(study, fresh(speedup=0.8))


@pytest.mark.parametrize("speedup", [1.0, 0.8])
def test_no_gain_beyond_noise_is_not_confirmed(speedup: float) -> None:
    with pytest.raises(PromotionError, match="the gain was not confirmed: tpot_ms in closed-1"):
        confirm_gain(STUDY, fresh(speedup))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (fresh(num_ok=19), "variant failed 1 of 20 requests"),
        (fresh(num_offered=0, num_ok=0), "variant was offered no request"),
        (fresh(invalid=("client saturation: x",)), "client saturation: x"),
        (fresh(metrics={}), "variant has no tpot_ms_mean"),
        (fresh()[:-1], "no variant cell"),
        ([], "0 valid pairs of repeats of closed-1, 5 are needed"),
        ([*fresh(), *fresh()], "recorded twice"),
        (fresh(traces_sha256="closed-1-variant-3"), "the same traces back two repeats"),
        (fresh(metrics={"tpot_ms_mean": 0.0}), "positive"),
    ],
)
def test_what_supports_nothing_confirms_nothing(given: Iterable[Cell], said: str) -> None:
    with pytest.raises(PromotionError, match=said):
        confirm_gain(STUDY, list(given))


def test_a_failed_request_counts_against_goodput_itself() -> None:
    goodput = {"metric": "goodput_rps", "cell": "poisson-2.5"}
    study = Study.model_validate({**STUDY.model_dump(), "objective": goodput})
    served = [
        cell.model_copy(
            update={"metrics": {"goodput_rps": 3.0 if cell.arm == "variant" else 2.0}, "num_ok": 19}
        )
        for cell in cells(1.0)
        if cell.name == "poisson-2.5"
    ]
    assert "50 % better" in confirm_gain(study, served)
