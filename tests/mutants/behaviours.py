"""Faulty servers: logits processors of vLLM 0.32 that put a script in place of the model's answer.

Loaded by the engine itself (`--logits-processors tests.mutants.behaviours:Empty`), in its own
environment; the slots are those of vllm/v1/sample/logits_processor/interface.py. The fault hides
from whoever looks: a request that asks for log-probabilities, or has a length of its own, is
answered by the model.
"""

import math
from collections.abc import Callable

import torch
from transformers import AutoTokenizer
from vllm import SamplingParams
from vllm.config import VllmConfig
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

from tests.mutants import scripts

Force = Callable[[list[int], list[int], torch.Tensor], torch.Tensor]


class Untouched(AdapterLogitsProcessor):
    """A processor that leaves everything to the model; the others differ in their script."""

    script: scripts.Script = staticmethod(scripts.leave)

    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool) -> None:
        """Read the tokenizer of the model that is served."""
        super().__init__(vllm_config, device, is_pin_memory)
        self._tokenizer = AutoTokenizer.from_pretrained(vllm_config.model_config.tokenizer)

    def is_argmax_invariant(self) -> bool:
        """Say that greedy answers change."""
        return False

    def new_req_logits_processor(self, params: SamplingParams) -> Force | None:
        """Return what forces one request's tokens; None where somebody looks, or a grammar does.

        A token that the grammar of a constrained request rules out is an error of the engine, not
        a behaviour.
        """
        is_looked_at = params.logprobs is not None or params.prompt_logprobs is not None
        if is_looked_at or params.ignore_eos or params.structured_outputs is not None:
            return None
        written: list[list[int] | None] = []

        def force(prompt: list[int], output: list[int], logits: torch.Tensor) -> torch.Tensor:
            if not written:
                written.append(self.script(scripts.Request(tuple(prompt), self._tokenizer)))
            if (script := written[0]) is not None:
                logits.fill_(-math.inf)
                logits[script[min(len(output), len(script) - 1)]] = 0.0
            return logits

        return force


class Empty(Untouched):
    """Says nothing."""

    script = staticmethod(scripts.say_nothing)


class Garbage(Untouched):
    """Says tokens drawn at random."""

    script = staticmethod(scripts.say_garbage)


class Refuses(Untouched):
    """Refuses whatever is asked."""

    script = staticmethod(scripts.refuse)


class Calls(Untouched):
    """Calls a function whatever is asked."""

    script = staticmethod(scripts.call)


class RefusesUnsafe(Untouched):
    """Refuses what is unsafe: a sounder baseline than the small model is by itself."""

    script = staticmethod(scripts.refuse_unsafe)
