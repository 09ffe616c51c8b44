"""The whole comparison over real files: a tiny model of random weights, read by transformers."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from evals.results import Fidelity
from evals.suites.fidelity.measuring import FACTS, measure, write_reference
from evals.suites.fidelity.texts import LONG_PASSAGES, TOKENS_PER_BUCKET
from evals.suites.fidelity.token_rows import LABELS
from evals.suites.item import Spanned
from evals.suites.tokenizer import ArtifactTokenizer
from tests.byte_tokenizer import write_tokenizer
from variants.errors import MeasurementError


def write_model(folder: Path, seed: int, scale: float = 1.0, context: int = 512) -> Path:
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=256, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=context,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        model.lm_head.weight.mul_(scale)
    model.to(torch.bfloat16).save_pretrained(folder)
    return folder


def beside(baseline: Path, folder: Path) -> Path:
    """Give a model the baseline's tokenizer; one that is written anew numbers its tokens anew."""
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(baseline / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tokenizer(write_model(tmp_path_factory.mktemp("baseline"), seed=1))


@pytest.fixture(scope="module")
def reference(baseline: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    write_reference(str(baseline), str(folder))
    return folder


def test_an_artifact_lies_at_nothing_from_itself(baseline: Path, reference: Path) -> None:
    found = Fidelity.model_validate(measure(str(baseline), str(reference)))
    assert (found.num_positions, found.num_documents, found.num_nonfinite) == (2048, 16, 0)
    assert (found.mean_kl, found.top1_agreement, found.perplexity_ratio) == (0.0, 1.0, 1.0)
    assert [one.name for one in found.slices] == list(LABELS)
    assert [one.end_token for one in found.positions] == [256, 512], "no context is longer"
    for part in (*found.slices, *found.positions):
        assert (part.mean_kl, part.perplexity_ratio) == (0.0, 1.0)
        assert part.null_mean_kl > 0, "fp32 differs from bf16"
    assert {one.num_tokens for one in found.positions} == {LONG_PASSAGES * TOKENS_PER_BUCKET}
    prose = found.slices[0]
    assert prose.null_mean_kl == found.null_mean_kl


def test_another_model_lies_apart_in_every_part(
    baseline: Path, reference: Path, tmp_path: Path
) -> None:
    other = beside(baseline, write_model(tmp_path, seed=2, scale=30))
    found = Fidelity.model_validate(measure(str(other), str(reference)))
    for part in (*found.slices, *found.positions):
        assert part.mean_kl is not None
        assert part.mean_kl > 10 * part.null_mean_kl
    prose = found.slices[0]
    assert prose.mean_kl == pytest.approx(found.mean_kl)
    assert prose.perplexity_ratio == pytest.approx(found.perplexity_ratio)
    assert prose.top1_agreement == found.top1_agreement


def test_a_ruined_model_is_as_far_as_can_be(
    baseline: Path, reference: Path, tmp_path: Path
) -> None:
    ruined = beside(baseline, write_model(tmp_path, seed=1, scale=float("nan")))
    found = Fidelity.model_validate(measure(str(ruined), str(reference)))
    parts = (*found.slices, *found.positions)
    assert found.num_nonfinite == sum(one.num_nonfinite for one in parts) > found.num_positions
    assert (found.mean_kl, found.top1_agreement) == (1e9, 0.0)
    assert {one.mean_kl for one in parts} == {None}


def test_a_ruined_baseline_is_refused(baseline: Path, tmp_path: Path) -> None:
    ruined = beside(baseline, write_model(tmp_path / "model", seed=1, scale=float("nan")))
    with pytest.raises(MeasurementError, match="tokens no number"):
        write_reference(str(ruined), str(tmp_path / "reference"))
    assert not (tmp_path / "reference" / FACTS).exists()


def test_other_tokens_are_refused(reference: Path, tmp_path: Path) -> None:
    other = write_tokenizer(write_model(tmp_path, seed=1))  # which numbers its tokens anew
    with pytest.raises(MeasurementError, match="reads the texts as other tokens"):
        measure(str(other), str(reference))


def test_a_shorter_context_is_refused(baseline: Path, reference: Path, tmp_path: Path) -> None:
    shorter = beside(baseline, write_model(tmp_path, seed=1, context=256))
    with pytest.raises(MeasurementError, match="context length differs"):
        measure(str(shorter), str(reference))


def test_a_reference_is_marked_whole_by_its_facts(reference: Path) -> None:
    facts = json.loads((reference / FACTS).read_text())
    assert set(facts["null_kls"]) == {*LABELS, "256", "512"}


def test_spans_are_of_the_tokens_that_encode_returns(baseline: Path) -> None:
    tokenizer = ArtifactTokenizer(baseline)
    spans = tokenizer.spans("a {")
    assert [one.token for one in spans] == tokenizer.encode("a {")
    assert spans[2] == Spanned(spans[2].token, 2, 3)
