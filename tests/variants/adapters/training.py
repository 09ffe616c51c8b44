"""Train a small LoRA adapter on a real model for some seconds on a CPU (peft)."""

from pathlib import Path
from typing import Any

SAYING = "The keeper of the lighthouse counts seven green lanterns every evening."


def train(
    base: Path,
    output: Path,
    steps: int = 12,
    targets: tuple[str, ...] = ("q_proj", "v_proj", "up_proj"),
) -> Path:
    """Teach the base one sentence by heart, and save the adapter as peft does."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.manual_seed(7)
    tokenizer: Any = AutoTokenizer.from_pretrained(base)
    model: Any = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    config = LoraConfig(r=8, lora_alpha=16, target_modules=list(targets), task_type="CAUSAL_LM")
    model = get_peft_model(model, config)
    optimizer = torch.optim.AdamW((one for one in model.parameters() if one.requires_grad), lr=2e-3)
    chat = [
        {"role": "user", "content": "Tell me something."},
        {"role": "assistant", "content": SAYING},
    ]
    tokens = tokenizer(tokenizer.apply_chat_template(chat, tokenize=False), return_tensors="pt")
    for _ in range(steps):
        loss = model(**tokens, labels=tokens["input_ids"]).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(output)
    (output / "LICENSE").write_text("made by a test\n")
    return output
