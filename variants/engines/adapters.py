"""The engines there are: one line each."""

from variants.engines.adapter import EngineAdapter
from variants.engines.vllm import Vllm

ADAPTERS: dict[str, EngineAdapter] = {"vllm": Vllm()}
