import math

import pytest
import torch

from evals.suites.fidelity import _distance, _rows

TEXTS = [[0, 1, 0]]  # two positions, whose targets are 1 and 0


def test_the_worked_example() -> None:
    reference_PV = torch.tensor([[0.5, 0.5], [0.5, 0.5]]).log()
    variant_PV = torch.tensor([[0.25, 0.75], [0.25, 0.75]]).log()
    distance = _distance(_rows(reference_PV, variant_PV, TEXTS))
    kl = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)  # .144 nats
    assert kl == pytest.approx(0.144, abs=5e-4)
    for name in ("mean_kl", "p99_kl", "max_kl"):
        assert distance[name] == pytest.approx(kl, rel=1e-5)
    assert distance["top1_agreement"] == 0.0  # argmax of a tie is the first: 0 against 1
    # log p/q at the targets: ln(.5/.75) and ln(.5/.25); their mean is half of ln(4/3)
    assert distance["perplexity_ratio"] == pytest.approx(math.sqrt(4 / 3))


def test_a_model_against_itself_lies_at_nothing() -> None:
    same_PV = torch.tensor([[0.9, 0.1], [0.2, 0.8]]).log()
    distance = _distance(_rows(same_PV, same_PV, TEXTS))
    assert distance["mean_kl"] == 0.0
    assert distance["top1_agreement"] == 1.0
    assert distance["perplexity_ratio"] == 1.0


def test_the_worst_position_is_kept() -> None:
    reference_PV = torch.tensor([[0.5, 0.5], [0.9, 0.1]]).log()
    variant_PV = torch.tensor([[0.5, 0.5], [0.1, 0.9]]).log()
    distance = _distance(_rows(reference_PV, variant_PV, TEXTS))
    kl = 0.8 * math.log(9)  # .9 ln 9 + .1 ln (1/9)
    assert distance["max_kl"] == pytest.approx(kl, rel=1e-5)
    assert distance["mean_kl"] == pytest.approx(kl / 2, rel=1e-5)
    assert distance["top1_agreement"] == 0.5


def test_positions_that_were_left_out_take_their_targets_along() -> None:
    reference_PV = torch.tensor([[0.9, 0.1]]).log()
    variant_PV = torch.tensor([[0.45, 0.55]]).log()
    kept = torch.tensor([False, True])
    distance = _distance(_rows(reference_PV, variant_PV, TEXTS, kept))
    assert distance["perplexity_ratio"] == pytest.approx(2.0)  # target 0: .9 / .45
