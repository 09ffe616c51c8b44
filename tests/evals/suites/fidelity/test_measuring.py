import math

import pytest
import torch

from evals.results import Fidelity
from evals.suites.fidelity.measuring import _distance, _fidelity, _scores
from evals.suites.fidelity.scores import places_of, rows_where
from evals.suites.fidelity.texts import Text
from evals.suites.fidelity.token_rows import TokenRows

TARGETS = (1, 0)
SCREEN = Text("screen-0", "screen", (0, *TARGETS), (1, 2), ("prose", "prose"))
CHAT = Text("call-0", "chat", (0, *TARGETS), (1, 2), ("prompt", "tool-call"))
LONG = Text("long-0", "long", (0, *TARGETS), (1, 2), ("prose", "prose"))
FACTS = {
    "null_mean_kl": 0.01,
    "null_top1_agreement": 0.99,
    "null_kls": {"prose": 0.01, "prompt": 0.02, "tool-call": 0.03, "256": 0.04},
}


def screened(reference_PV: torch.Tensor, variant_PV: torch.Tensor) -> TokenRows | None:
    scores, places = _scores(reference_PV, variant_PV, TARGETS), places_of((SCREEN,))
    return rows_where(scores, places, places.of("screen"))


def test_the_worked_example() -> None:
    reference_PV = torch.tensor([[0.5, 0.5], [0.5, 0.5]]).log()
    variant_PV = torch.tensor([[0.25, 0.75], [0.25, 0.75]]).log()
    distance = _distance(screened(reference_PV, variant_PV))
    kl = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)  # .144 nats
    assert kl == pytest.approx(0.144, abs=5e-4)
    for name in ("mean_kl", "p99_kl", "max_kl"):
        assert distance[name] == pytest.approx(kl, rel=1e-5)
    assert distance["top1_agreement"] == 0.0  # argmax of a tie is the first: 0 against 1
    # log p/q at the targets: ln(.5/.75) and ln(.5/.25); their mean is half of ln(4/3)
    assert distance["perplexity_ratio"] == pytest.approx(math.sqrt(4 / 3))


def test_a_model_against_itself_lies_at_nothing() -> None:
    same_PV = torch.tensor([[0.9, 0.1], [0.2, 0.8]]).log()
    distance = _distance(screened(same_PV, same_PV))
    assert distance["mean_kl"] == 0.0
    assert distance["top1_agreement"] == 1.0
    assert distance["perplexity_ratio"] == 1.0


def test_the_worst_position_is_kept() -> None:
    reference_PV = torch.tensor([[0.5, 0.5], [0.9, 0.1]]).log()
    variant_PV = torch.tensor([[0.5, 0.5], [0.1, 0.9]]).log()
    distance = _distance(screened(reference_PV, variant_PV))
    kl = 0.8 * math.log(9)  # .9 ln 9 + .1 ln (1/9)
    assert distance["max_kl"] == pytest.approx(kl, rel=1e-5)
    assert distance["mean_kl"] == pytest.approx(kl / 2, rel=1e-5)
    assert distance["top1_agreement"] == 0.5


def test_a_position_without_a_number_takes_its_target_along() -> None:
    reference_PV = torch.tensor([[0.5, 0.5], [0.9, 0.1]]).log()
    variant_PV = torch.tensor([[math.nan, 0.5], [0.45, 0.55]]).log()
    distance = _distance(screened(reference_PV, variant_PV))
    assert distance["perplexity_ratio"] == pytest.approx(2.0)  # target 0: .9 / .45


REFERENCE_PV = torch.tensor([[0.5, 0.5], [0.9, 0.1]] * 3).log()


def everywhere(variant_PV: torch.Tensor) -> Fidelity:
    return _fidelity(
        _scores(REFERENCE_PV, variant_PV, TARGETS * 3), places_of((SCREEN, CHAT, LONG)), FACTS
    )


def test_the_screen_alone_is_what_the_gate_judges() -> None:
    variant_PV = REFERENCE_PV.clone()
    variant_PV[2:] = torch.tensor([0.001, 0.999]).log()  # chats and long passages are ruined
    found = everywhere(variant_PV)
    assert (found.num_positions, found.num_documents, found.num_nonfinite) == (2, 1, 0)
    assert (found.mean_kl, found.top1_agreement, found.perplexity_ratio) == (0.0, 1.0, 1.0)
    prose, prompt, call = found.slices
    assert [one.name for one in found.slices] == ["prose", "prompt", "tool-call"]
    assert prose.mean_kl == 0.0
    assert call.mean_kl == pytest.approx(0.9 * math.log(900) + 0.1 * math.log(0.1 / 0.999))
    assert (prompt.null_mean_kl, call.null_mean_kl) == (0.02, 0.03)
    (bucket,) = found.positions
    assert bucket.num_tokens == 2
    assert bucket.null_mean_kl == 0.04
    assert bucket.mean_kl is not None
    assert bucket.mean_kl > 1


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("position", [0, 3, 4])
def test_a_token_without_a_number_counts_wherever_it_stands(position: int, bad: float) -> None:
    """The gate fails on the count, so a ruined slice cannot hide beside sound prose."""
    variant_PV = REFERENCE_PV.clone()
    variant_PV[position, 1] = bad
    found = everywhere(variant_PV)
    assert found.num_nonfinite == 1
    parts = (*found.slices, *found.positions)
    assert sum(one.num_nonfinite for one in parts) == 1
    assert sum(one.num_tokens for one in parts) == 5


def test_a_model_that_gives_no_number_is_as_far_as_can_be() -> None:
    found = everywhere(torch.full_like(REFERENCE_PV, math.nan))
    assert (found.mean_kl, found.top1_agreement, found.perplexity_ratio) == (1e9, 0.0, 1e9)
    assert (found.num_nonfinite, found.figures) == (6, ())
    assert {one.mean_kl for one in (*found.slices, *found.positions)} == {None}
