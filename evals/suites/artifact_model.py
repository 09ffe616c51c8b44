"""Score an artifact in process by transformers (adapter; runs in a child process).

The shared context of an item is computed once and its options, which have equal token length, are
scored as one batch on top of it, so no position is padded. Log-probabilities are taken in fp32
from bf16 logits. Both arms use the same layout: bf16 log-likelihoods move by up to 1.2 nats
between layouts.
"""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM

from evals.suites.language_model import TokenScorer
from evals.suites.tokenizer import tokenizer_of


def load(folder: Path, dtype: torch.dtype = torch.bfloat16) -> torch.nn.Module:
    """Load an artifact (plain or compressed-tensors) for inference."""
    model: torch.nn.Module = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    return model.eval()


class ArtifactModel(TokenScorer):
    """lm-eval model over an artifact folder."""

    def __init__(self, folder: Path, in_fp32: bool = False) -> None:
        """Load the artifact and its tokenizer."""
        super().__init__(tokenizer_of(folder))
        self._model = load(folder, torch.float32 if in_fp32 else torch.bfloat16)

    @torch.inference_mode()
    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Sum log-probabilities.

        Shapes: options_OL (O options of L tokens), logits_OLV.
        """
        head = self._model(torch.tensor([context]), use_cache=True, logits_to_keep=1)
        cache = head.past_key_values
        cache.batch_repeat_interleave(len(options))
        options_OL = torch.tensor(options)
        tail = self._model(options_OL[:, :-1], past_key_values=cache, use_cache=True)
        first_OV = head.logits[0].expand(len(options), -1)
        logits_OLV = torch.cat([first_OV[:, None], tail.logits], dim=1)
        logprobs_OLV = torch.log_softmax(logits_OLV.float(), dim=-1)
        scores_O = logprobs_OLV.gather(-1, options_OL[:, :, None]).sum(dim=(1, 2))
        return [float(score) for score in scores_O]
