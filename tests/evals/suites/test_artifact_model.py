"""A small random model: what is packed scores what plain forward passes score."""

import math
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM

from evals.suites import artifact_model
from evals.suites.artifact_model import ArtifactModel, can_pack, sums
from evals.suites.packing import TokenItem, plant
from tests.byte_tokenizer import write_tokenizer

SIZES = {
    "vocab_size": 256, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2,
}  # fmt: skip
NATS = 1e-4
ITEMS: list[TokenItem] = [
    ([5, 6, 7], [[8, 9], [10, 11]]),
    ([70, 71, 72, 73, 74, 75, 76], [[8, 9, 1], [20], [30, 31, 32, 33]]),
    ([99], [[1], [2]]),
    ([5, 6, 7, 8], [[9, 10, 11], [9, 10, 14], [9, 3], [10, 9, 10, 2]]),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write an artifact of random weights, large enough to tell tokens apart."""
    path = write_tokenizer(tmp_path_factory.mktemp("artifact"))
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**SIZES, initializer_range=0.3)).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> ArtifactModel:
    return ArtifactModel(folder, in_fp32=True)


def plainly(model: ArtifactModel, context: list[int], option: list[int]) -> float:
    """Score one option by one forward pass of context and option, without mask or cache."""
    with torch.inference_mode():
        logits_1TV = model._model(torch.tensor([context + option])).logits
    logprobs_TV = torch.log_softmax(logits_1TV[0].double(), dim=-1)
    start = len(context) - 1
    return sum(float(logprobs_TV[start + at, token]) for at, token in enumerate(option))


def expected(model: ArtifactModel) -> list[float]:
    return [plainly(model, context, one) for context, options in ITEMS for one in options]


def asked(model: ArtifactModel) -> list[float]:
    requests = [(("", ""), context, one) for context, options in ITEMS for one in options]
    return [score for score, _ in model._loglikelihood_tokens(requests)]


@pytest.mark.parametrize("max_tokens", [2048, 20, 8, 0])  # 0: each item on its cache
def test_the_company_of_an_item_changes_nothing(
    model: ArtifactModel, monkeypatch: pytest.MonkeyPatch, max_tokens: int
) -> None:
    monkeypatch.setattr(model, "_max_tokens", max_tokens)
    assert asked(model) == pytest.approx(expected(model), abs=NATS)


def test_what_the_company_says_changes_no_bit(model: ArtifactModel) -> None:
    """The same places, other tokens in them: another option, and another item."""
    first, second = plant(([5, 6], [[7, 8], [9, 10]])), plant(([5, 6], [[7, 8], [99, 98]]))
    ((gold, other), _), ((gold_again, another), _) = (
        model._score([first, plant(([1, 2], [[3, 4]]))]),
        model._score([second, plant(([80, 81], [[82, 83]]))]),
    )
    assert gold == gold_again
    assert other != another


def test_options_of_one_item(model: ArtifactModel) -> None:
    context, options = ITEMS[1]
    assert model.score_options(context, options) == pytest.approx(
        [plainly(model, context, one) for one in options], abs=NATS
    )


def test_progress_counts_items(model: ArtifactModel, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(model, "_max_tokens", 14)  # lengths 12 5 9 1 -> 12 | 9 | 5 1
    monkeypatch.setattr(model, "on_answer", lambda done, whole: told.append((done, whole)))
    asked(model)
    assert told == [(1, 4), (2, 4), (4, 4)]


def test_weights_in_bf16_are_computed_in_bf16(folder: Path) -> None:
    assert ArtifactModel(folder)._model.dtype == torch.bfloat16


def test_sums_of_known_odds() -> None:
    """Logits 0 and ln 3 are odds of 1/4 and 3/4: two tokens of 3/4 are 2 ln .75 = -.5754."""
    logits_RV = torch.log(torch.tensor([[1.0, 3.0], [1.0, 3.0], [3.0, 1.0]]))
    places = [[0, 1], [0, 2], [0]]
    assert sums(logits_RV, places, [[1, 1], [1, 1], [0]]) == pytest.approx(
        [-0.57536, -1.67398, -1.38629], abs=1e-5
    )


def test_no_number_stays_no_number() -> None:
    (score,) = sums(torch.full((1, 3), torch.nan), [[0]], [[0]])
    assert math.isnan(score)


def test_a_window_is_not_in_the_mask() -> None:
    assert can_pack(LlamaForCausalLM(LlamaConfig(**SIZES)))
    assert not can_pack(MistralForCausalLM(MistralConfig(**SIZES, sliding_window=4)))


def test_a_scale_over_all_tokens_is_asked_alone() -> None:
    activations = SimpleNamespace(dynamic=True, strategy="token")
    group = SimpleNamespace(input_activations=activations)
    own = SimpleNamespace(config_groups={"group_0": group})
    assert not artifact_model._sees_company(SimpleNamespace(quantization_config=own))
    activations.strategy = "tensor"
    assert artifact_model._sees_company(SimpleNamespace(quantization_config=own))
    assert not artifact_model._sees_company(None)
