"""A toy Llama with an adapter: as peft computes it, unmerged, merged, and rounded to bf16."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from evals.suites.adapted_model import MERGE_TOLERANCE_NATS, apply_adapter
from tests.variants.adapters.hand import write
from variants.adapters.audit import Ground, audit_adapter
from variants.audit.safetensors import map_bytes, read_header
from variants.builders.merge import build
from variants.errors import MeasurementError, RecipeError

TOKENS = torch.arange(24)[None]
Train = Callable[[float], Path]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("base")
    config = LlamaConfig(
        vocab_size=40, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True,
    )  # fmt: skip
    LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    return folder


@pytest.fixture
def adapter(base: Path, tmp_path: Path) -> Train:
    """Make an adapter as peft saves one; its lora_B is drawn with this spread."""

    def make(spread: float) -> Path:
        torch.manual_seed(2)
        model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
        targets = ["q_proj", "down_proj"]
        config = LoraConfig(
            r=4, lora_alpha=8, target_modules=targets, task_type="CAUSAL_LM",
            rank_pattern={"down_proj": 2}, alpha_pattern={"down_proj": 1},
        )  # fmt: skip
        adapted = get_peft_model(model, config)
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                weight.data.normal_(std=spread)
        adapted.save_pretrained(tmp_path / "adapter")
        (tmp_path / "adapter" / "LICENSE").write_text("none")
        return tmp_path / "adapter"

    return make


@torch.inference_mode()
def scores(model: torch.nn.Module) -> torch.Tensor:
    found: torch.Tensor = torch.log_softmax(model(TOKENS).logits.float(), dim=-1)
    return found


def load(folder: Path, dtype: torch.dtype = torch.float32) -> torch.nn.Module:
    model: torch.nn.Module = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    return model.eval()


def test_it_is_applied_as_peft_applies_it(base: Path, adapter: Train) -> None:
    folder = adapter(0.5)
    model = load(base)
    bare = scores(model)
    apply_adapter(model, folder)
    ours, theirs = scores(model), scores(PeftModel.from_pretrained(load(base), folder).eval())
    assert float((ours - bare).abs().max()) > 0.01
    assert float((ours - theirs).abs().max()) < 1e-5


def test_what_peft_saves_passes_the_audit(base: Path, adapter: Train) -> None:
    findings = audit_adapter(adapter(0.5), Ground(base))
    assert [one for one in findings if not one.passed] == []
    rank = next(one for one in findings if one.name == "rank")
    assert rank.reason == "rank 2, 4, scaling 0.5, 2"  # alpha 1 / rank 2, and 8 / 4


def test_one_that_was_never_trained_changes_nothing_and_is_refused(
    base: Path, adapter: Train
) -> None:
    folder = adapter(0.0)
    model = load(base)
    bare = scores(model)
    apply_adapter(model, folder)
    assert torch.equal(scores(model), bare)
    failed = [one.name for one in audit_adapter(folder, Ground(base)) if not one.passed]
    assert failed == ["change"]


def test_merged_and_unmerged_agree_in_fp32(base: Path, adapter: Train, tmp_path: Path) -> None:
    folder = adapter(0.5)
    wide = tmp_path / "wide"
    load(base).save_pretrained(wide)  # stored in fp32, so nothing is rounded away
    told = build(str(wide), str(tmp_path), str(folder))
    assert told["note"] == "adapter merged in 4 layers; 100.0% of its change is kept"
    unmerged = load(base)
    bare = scores(unmerged)
    apply_adapter(unmerged, folder)
    gap = float((scores(load(tmp_path)) - scores(unmerged)).abs().max())
    assert gap <= MERGE_TOLERANCE_NATS
    assert float((scores(unmerged) - bare).abs().max()) > 10 * MERGE_TOLERANCE_NATS


def test_a_merge_keeps_format_settings_and_untouched_layers(
    base: Path, adapter: Train, tmp_path: Path
) -> None:
    output = tmp_path / "merged"
    output.mkdir()
    build(str(base), str(output), str(adapter(0.5)))
    assert (output / "config.json").read_text() == (base / "config.json").read_text()
    before, after = (
        {one.name: one for one in read_header(folder / "model.safetensors")}
        for folder in (base, output)
    )
    assert before.keys() == after.keys()
    changed = {
        name
        for name, tensor in before.items()
        if map_bytes(tensor).tobytes() != map_bytes(after[name]).tobytes()
    }
    assert {one.dtype for one in after.values()} == {"BF16"}
    assert changed == {
        f"model.layers.{layer}.{name}.weight"
        for layer in (0, 1)
        for name in ("self_attn.q_proj", "mlp.down_proj")
    }


def test_a_change_that_bf16_rounds_away_is_refused(
    base: Path, adapter: Train, tmp_path: Path
) -> None:
    output = tmp_path / "merged"
    output.mkdir()
    with pytest.raises(RecipeError, match="serve it unmerged"):
        build(str(base), str(output), str(adapter(1e-12)))


def test_an_adapter_of_another_base_is_neither_merged_nor_applied(
    base: Path, adapter: Train, tmp_path: Path
) -> None:
    folder = adapter(0.5)
    weights = folder / "adapter_model.safetensors"
    write(
        weights,
        {
            one.name.replace("model.layers", "model.language_model.layers"): (
                one.dtype,
                list(one.shape),
                map_bytes(one).tobytes(),
            )
            for one in read_header(weights)
        },
    )
    with pytest.raises(RecipeError, match="is no linear layer of the base"):
        build(str(base), str(tmp_path / "merged"), str(folder))
    with pytest.raises(MeasurementError, match=r"the model has no model\.language_model"):
        apply_adapter(load(base), folder)
    assert json.loads((folder / "adapter_config.json").read_text())["r"] == 4
