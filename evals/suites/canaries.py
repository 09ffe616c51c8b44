"""Canary prompts, and the log-probabilities that transformers gives them (child, torch).

Short, medium and long prompts rendered with the artifact's own chat template: an engine can be
right on short prompts and wrong on longer ones. The null arm is the same artifact computed in
fp32, so that a format whose rounding is chaotic (dynamic INT8) is not held to bf16's noise.
"""

from itertools import islice
from pathlib import Path
from typing import Any

import torch

from evals.suites.adapted_model import apply_adapter
from evals.suites.artifact_model import load
from evals.suites.coherence import QUESTION
from evals.suites.tokenizer import tokenizer_of
from variants.prose import passages

REQUEST = "Explain the following text in one sentence:\n\n"
MEDIUM_WORDS = 110
LONG_WORDS = 480


def canary_tokens(artifact: Path) -> list[list[int]]:
    """Return the token ids of the short, the medium and the long canary."""
    tokenizer = tokenizer_of(artifact)
    words = " ".join(islice(passages("evaluation").values(), 12)).split()
    requests = [
        QUESTION,
        REQUEST + " ".join(words[:MEDIUM_WORDS]),
        REQUEST + " ".join(words[MEDIUM_WORDS : MEDIUM_WORDS + LONG_WORDS]),
    ]
    chats = [[{"role": "user", "content": text}] for text in requests]
    return [tokenizer.encode(tokenizer.render_chat(chat)) for chat in chats]


def reference(artifact: str, adapter: str | None = None) -> dict[str, Any]:
    """Score every canary token from the second on, and the same in fp32 as the null arm.

    A packaged adapter is applied unmerged, as an engine applies it.

    Units: nats; one list per canary, each one shorter than its tokens.
    """
    folder, applied = Path(artifact), Path(adapter) if adapter else None
    tokens = canary_tokens(folder)
    return {
        "tokens": tokens,
        "logprobs": _scores(folder, applied, tokens, torch.bfloat16),
        "null": _scores(folder, applied, tokens, torch.float32),
    }


@torch.inference_mode()
def _scores(
    folder: Path, adapter: Path | None, tokens: list[list[int]], dtype: torch.dtype
) -> list[list[float]]:
    model = load(folder, dtype)
    if adapter is not None:
        apply_adapter(model, adapter)
    scored = []
    for prompt in tokens:
        row_T = torch.tensor(prompt)
        logprobs_TV = torch.log_softmax(model(row_T[None]).logits[0, :-1].float(), dim=-1)
        scored.append(logprobs_TV.gather(1, row_T[1:, None])[:, 0].tolist())
    return scored
