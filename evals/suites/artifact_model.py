"""Score an artifact in process by transformers (adapter; runs in a child process).

Items are packed (`evals.suites.packing`): a context, and what options begin with alike, is computed
once, and several items make one forward pass. A long context fills a pass by itself, and a mask
would double its attention, so its options follow it on its cache instead; so do those of a model in
which a mask does not say all that a token sees. Which of the two an item gets depends on the item
and the model alone. Log-probabilities are taken in fp32 from bf16 logits. Both arms use the same
layout: another moves bf16 log-likelihoods by up to 1.2 nats.
"""

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM

from evals.suites.language_model import Pair, TokenScorer, grouped
from evals.suites.packing import Tree, batches, pack, places_apart, plant
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
        self._dtype = torch.float32 if in_fp32 else torch.bfloat16
        self._model = load(folder, self._dtype)
        self._max_tokens = MAX_PASS_TOKENS if can_pack(self._model) else 0

    def score_options(self, context: list[int], options: list[list[int]]) -> list[float]:
        """Sum log-probabilities."""
        return self._score([plant((context, options))])[0]

    def _loglikelihood_tokens(self, requests: list[Pair], **_: Any) -> list[tuple[float, bool]]:
        trees = [plant(item) for item in grouped(requests)]
        scores: dict[int, list[float]] = {}
        for numbers in batches([len(tree.tokens) for tree in trees], self._max_tokens):
            found = self._score([trees[number] for number in numbers])
            scores |= dict(zip(numbers, found, strict=True))
            self.on_answer(len(scores), len(trees))
        return [(score, False) for number in range(len(trees)) for score in scores[number]]

    def _score(self, trees: list[Tree]) -> list[list[float]]:
        if len(trees[0].tokens) > self._max_tokens:
            return [self._score_on_cache(tree.context, tree.options) for tree in trees]
        return self._score_packed(trees)

    @torch.inference_mode()
    def _score_packed(self, trees: list[Tree]) -> list[list[float]]:
        batch = pack(trees)
        sees_B1TT = torch.from_numpy(batch.sees_BTT)[:, None]
        hidden = torch.finfo(self._dtype).min
        mask_B1TT = torch.zeros(sees_B1TT.shape, dtype=self._dtype)
        logits_BRV = self._model(
            input_ids=torch.from_numpy(batch.tokens_BT),
            position_ids=torch.from_numpy(batch.positions_BT),
            attention_mask=mask_B1TT.masked_fill_(~sees_B1TT, hidden),
            logits_to_keep=batch.num_read,
            use_cache=False,
        ).logits
        return [
            sums(logits_RV[-tree.num_read :], tree.places, tree.options)
            for logits_RV, tree in zip(logits_BRV, trees, strict=True)
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
        return sums(torch.cat(rows), places_apart(options), options)


def sums(logits_RV: torch.Tensor, places: list[list[int]], options: list[list[int]]) -> list[float]:
    """Sum the log-probabilities of each option's tokens, foretold at its places, in nats."""
    place_N = torch.tensor([place for option in places for place in option])
    token_N = torch.tensor([token for option in options for token in option])
    total_R = torch.cat([_log_total(part_RV) for part_RV in torch.split(logits_RV, NUM_ROWS)])
    logprob_N = logits_RV[place_N, token_N].float() - total_R[place_N]
    lengths = [len(option) for option in options]
    return [float(one.sum()) for one in torch.split(logprob_N, lengths)]


def _log_total(logits_RV: torch.Tensor) -> torch.Tensor:
    """Return log sum exp of each row, in fp32; in place, as memory is what takes the time."""
    scores_RV = logits_RV.to(torch.float32, copy=True)
    highest_R1 = scores_RV.amax(dim=1, keepdim=True)
    return scores_RV.sub_(highest_R1).exp_().sum(dim=1).log() + highest_R1[:, 0]


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
