"""Score an artifact in process by transformers (adapter; runs in a child process).

Items are packed (`evals.suites.packing`): a context is computed once, and several items make one
forward pass. A long context fills a pass by itself and a mask would double its attention, so its
options follow it on its cache instead; so do those of a model in which a mask does not say all that
a token sees. Which of the two an item gets depends on the item and the model alone.
Log-probabilities are taken in fp32 from bf16 logits. Both arms use the same layout: bf16
log-likelihoods move by up to 1.2 nats between layouts.
"""

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM

from evals.suites.language_model import Pair, TokenScorer, grouped
from evals.suites.packing import TokenItem, batches, num_read, num_tokens, pack, places
from evals.suites.tokenizer import tokenizer_of

MAX_PASS_TOKENS = 1024  # as fast as 2048 in bf16, and logits of half the size
NUM_ROWS = 4  # x 49,152 entries x 4 B = 0.8 MB: a core's second cache holds it


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
        self._max_tokens = MAX_PASS_TOKENS if can_pack(self._model) else 0

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Sum log-probabilities."""
        return self._score([(context, options)])[0]

    def _loglikelihood_tokens(self, requests: list[Pair], **_: Any) -> list[tuple[float, bool]]:
        items = list(grouped(requests))
        scores: dict[int, list[float]] = {}
        for numbers in batches([num_tokens(item) for item in items], self._max_tokens):
            found = self._score([items[number] for number in numbers])
            scores |= dict(zip(numbers, found, strict=True))
            self.on_answer(len(scores), len(items))
        return [(score, False) for number in range(len(items)) for score in scores[number]]

    def _score(self, items: list[TokenItem]) -> list[list[float]]:
        if num_tokens(items[0]) > self._max_tokens:
            return [self._score_on_cache(*item) for item in items]
        return self._score_packed(items)

    @torch.inference_mode()
    def _score_packed(self, items: list[TokenItem]) -> list[list[float]]:
        batch = pack(items)
        sees_B1TT = torch.from_numpy(batch.sees_BTT)[:, None]
        hidden = torch.finfo(self._model.dtype).min
        mask_B1TT = torch.zeros(sees_B1TT.shape, dtype=self._model.dtype)
        logits_BRV = self._model(
            input_ids=torch.from_numpy(batch.tokens_BT),
            position_ids=torch.from_numpy(batch.positions_BT),
            attention_mask=mask_B1TT.masked_fill_(~sees_B1TT, hidden),
            logits_to_keep=batch.num_read,
            use_cache=False,
        ).logits
        return [
            sums(logits_RV[-num_read(item) :], item[1])
            for logits_RV, item in zip(logits_BRV, items, strict=True)
        ]

    @torch.inference_mode()
    def _score_on_cache(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Compute the context, and all options at once after it.

        Shapes: tails_OL, the options without their last token, padded to the longest.
        """
        head = self._model(torch.tensor([context]), use_cache=True, logits_to_keep=1)
        tails = [torch.tensor(option[:-1], dtype=torch.long) for option in options]
        tails_OL = torch.nn.utils.rnn.pad_sequence(tails, batch_first=True)
        rows = [head.logits[0]]
        if tails_OL.shape[1]:
            cache = head.past_key_values
            cache.batch_repeat_interleave(len(options))
            logits_OLV = self._model(tails_OL, past_key_values=cache, use_cache=True).logits
            rows += [row[: len(tail)] for row, tail in zip(logits_OLV, tails, strict=True)]
        return sums(torch.cat(rows), options)


def sums(logits_RV: torch.Tensor, options: list[list[int]]) -> list[float]:
    """Sum the log-probabilities of each option's tokens, in nats; logits as `places` counts."""
    found = places(options)
    rows = torch.tensor([place for option in found for place in option])
    targets_N = torch.tensor([token for option in options for token in option])
    parts = zip(rows.split(NUM_ROWS), targets_N.split(NUM_ROWS), strict=True)
    logprobs_N = torch.cat([_logprobs(logits_RV[some], targets) for some, targets in parts])
    return [float(one.sum()) for one in logprobs_N.split([len(option) for option in options])]


def _logprobs(logits_NV: torch.Tensor, targets_N: torch.Tensor) -> torch.Tensor:
    """Return log p of one token a row, in fp32 and in place (log_softmax walks memory 8 times)."""
    scores_NV = logits_NV.to(torch.float32, copy=True)
    scores_NV -= scores_NV.amax(dim=1, keepdim=True)
    chosen_N = scores_NV.gather(1, targets_N[:, None])[:, 0]
    return chosen_N - scores_NV.exp_().sum(dim=1).log()


def can_pack(model: Any) -> bool:
    """Whether the mask and the positions say all that a token sees, in every layer."""
    config = model.config.get_text_config()
    kinds: Sequence[str] = getattr(config, "layer_types", None) or ("full_attention",)
    return (
        set(kinds) == {"full_attention"}
        and getattr(config, "sliding_window", None) is None
        and config._attn_implementation in ("sdpa", "eager")
        and {"position_ids", "logits_to_keep"} <= inspect.signature(model.forward).parameters.keys()
        and not _sees_company(getattr(model.config, "quantization_config", None))
    )


def _sees_company(quantization: Any) -> bool:
    """Whether a scale is taken over all tokens of a pass, so that other items would move it."""
    groups = getattr(
        getattr(quantization, "quantization_config", quantization), "config_groups", {}
    )
    schemes = [getattr(group, "input_activations", None) for group in (groups or {}).values()]
    return any(
        one is not None and one.dynamic is True and one.strategy == "tensor" for one in schemes
    )
