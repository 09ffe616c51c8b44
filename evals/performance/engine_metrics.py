"""An engine's Prometheus text -> one canonical set, over one window.

A map per engine and version says which family is which; a golden file of the engine's real output
holds each map, because names change silently and a wrong name reads as zero (inference-perf issues
#455, #309, #699). What an engine does not report is None.

Example: generated tokens 100 at the last sample before the window and 340 at the first after it are
a delta of 240; 2 running for 0.5 s and 4 for 1.5 s are a time-weighted mean of 3.5.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from variants.errors import MeasurementError

SAMPLE_LINE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$")
LABEL = re.compile(r'(\w+)="([^"]*)"')
STARTED_AT = "process_start_time_seconds"


@dataclass(frozen=True, slots=True)
class Family:
    """Where one canonical metric is read; label sets are summed, or averaged for a share."""

    name: str
    kind: Literal["counter", "gauge"]
    fold: Literal["sum", "mean"] = "sum"
    label: str = ""  # the number stands in this label, not behind the line
    only_if: str = ""  # and counts only where this label is True


MetricMap = Mapping[str, Family]
Reading = tuple[str, float]  # labels, value

VLLM_0_32: MetricMap = {
    "kv_usage": Family("vllm:kv_cache_usage_perc", "gauge", "mean"),
    "running": Family("vllm:num_requests_running", "gauge"),
    "waiting": Family("vllm:num_requests_waiting", "gauge"),
    "preempted_total": Family("vllm:num_preemptions_total", "counter"),
    "prefix_hit_tokens_total": Family("vllm:prefix_cache_hits_total", "counter"),
    "prefix_query_tokens_total": Family("vllm:prefix_cache_queries_total", "counter"),
    "prompt_tokens_total": Family("vllm:prompt_tokens_total", "counter"),
    "generated_tokens_total": Family("vllm:generation_tokens_total", "counter"),
    "queue_seconds": Family("vllm:request_queue_time_seconds_sum", "counter"),
    "prefill_seconds": Family("vllm:request_prefill_time_seconds_sum", "counter"),
    "decode_seconds": Family("vllm:request_decode_time_seconds_sum", "counter"),
    "prefix_block_tokens": Family(
        "vllm:cache_config_info", "gauge", "mean", "block_size", "enable_prefix_caching"
    ),
    "spec_steps_total": Family("vllm:spec_decode_num_drafts_total", "counter"),
    "spec_drafted_total": Family("vllm:spec_decode_num_draft_tokens_total", "counter"),
    "spec_accepted_total": Family("vllm:spec_decode_num_accepted_tokens_total", "counter"),
}
METRIC_MAPS: dict[tuple[str, str], MetricMap] = {
    ("vllm", "0.32"): VLLM_0_32,
    ("scripted", "1"): VLLM_0_32,  # it speaks in vLLM's names
}
# lora_active: vLLM 0.32 names adapters in labels (vllm:lora_requests_info) and counts none
OPTIONAL = (
    "prefix_block_tokens",
    "spec_steps_total",
    "spec_drafted_total",
    "spec_accepted_total",
    "lora_active",
)
CANONICAL = (*VLLM_0_32, "lora_active")
REQUIRED = tuple(name for name in CANONICAL if name not in OPTIONAL)


@dataclass(frozen=True, slots=True)
class EngineSample:
    """One reading of /metrics. `values` has every canonical name."""

    at_ns: int
    values: Mapping[str, float | None]
    started_at: float | None


@dataclass(frozen=True, slots=True)
class EngineWindow:
    """What the engine said about one cell."""

    values: Mapping[str, float | None]
    missing: tuple[str, ...]
    restarts: tuple[str, ...]


def metric_map(engine: str, version: str) -> MetricMap:
    """Find the map of an engine by the leading parts of its version.

    Raises:
        MeasurementError: nobody has looked at this version's output yet.
    """
    for (name, prefix), found in METRIC_MAPS.items():
        if name == engine and (version == prefix or version.startswith(f"{prefix}.")):
            return found
    known = ", ".join(f"{name} {prefix}" for name, prefix in METRIC_MAPS)
    raise MeasurementError(
        f"no metric map for {engine} {version} (there are: {known}); "
        "save its /metrics as a golden file and add a map to METRIC_MAPS"
    )


def parse(text: str, families: MetricMap, at_ns: int) -> EngineSample:
    """Read the Prometheus text format."""
    wanted = {family.name for family in families.values()} | {STARTED_AT}
    found: dict[str, list[Reading]] = {}
    for line in text.splitlines():
        match = SAMPLE_LINE.match(line)
        if match and match[1] in wanted:
            found.setdefault(match[1], []).append((match[2] or "", float(match[3])))
    values = dict.fromkeys(CANONICAL) | {
        name: _fold(_numbers(found.get(family.name, []), family), family.fold)
        for name, family in families.items()
    }
    started = [value for _, value in found.get(STARTED_AT, [])]
    return EngineSample(at_ns, values, _fold(started, "sum"))


def _numbers(readings: Sequence[Reading], family: Family) -> list[float]:
    """Take the number behind each line, or the one in its label."""
    if not family.label:
        return [value for _, value in readings]
    labels = [dict(LABEL.findall(text)) for text, _ in readings]
    return [
        float(label[family.label])
        for label in labels
        if label.get(family.only_if) == "True" and label.get(family.label, "").isdecimal()
    ]


def _fold(values: Sequence[float], fold: Literal["sum", "mean"]) -> float | None:
    if not values:
        return None
    return sum(values) / (len(values) if fold == "mean" else 1)


def over_window(
    samples: Sequence[EngineSample], families: MetricMap, start_ns: int, end_ns: int
) -> EngineWindow:
    """Reduce samples, in order of time, to deltas of counters and time-weighted means of gauges.

    Used samples reach from the last one before the window to the first one after it; where they do
    not reach that far, nothing is known.
    """
    used = _around(samples, start_ns, end_ns)
    values: dict[str, float | None] = dict.fromkeys(CANONICAL)
    for name, family in families.items():
        readings = [(sample.at_ns, sample.values[name]) for sample in used]
        known = [(at_ns, value) for at_ns, value in readings if value is not None]
        is_whole = len(known) == len(readings) >= 2
        reduce = _delta if family.kind == "counter" else _time_weighted
        values[name] = reduce(known, start_ns, end_ns) if is_whole else None
    missing = tuple(name for name in CANONICAL if values[name] is None and name not in OPTIONAL)
    return EngineWindow(values, missing, _restarts(samples, families))


def _around(samples: Sequence[EngineSample], start_ns: int, end_ns: int) -> list[EngineSample]:
    before = [sample for sample in samples if sample.at_ns <= start_ns][-1:]
    inside = [sample for sample in samples if start_ns < sample.at_ns < end_ns]
    after = [sample for sample in samples if sample.at_ns >= end_ns][:1]
    return [*before, *inside, *after] if before and after else []


def _delta(readings: Sequence[tuple[int, float]], start_ns: int, end_ns: int) -> float | None:
    """Give last - first; None where the counter fell, as it then counts something else."""
    change = readings[-1][1] - readings[0][1]
    return change if change >= 0 else None


def _time_weighted(
    readings: Sequence[tuple[int, float]], start_ns: int, end_ns: int
) -> float | None:
    """Hold each reading until the next, inside the window only."""
    ends = [*(at_ns for at_ns, _ in readings[1:]), end_ns]
    total, weight_ns = 0.0, 0
    for (at_ns, value), until_ns in zip(readings, ends, strict=True):
        held_ns = max(0, min(until_ns, end_ns) - max(at_ns, start_ns))
        total, weight_ns = total + value * held_ns, weight_ns + held_ns
    return total / weight_ns if weight_ns else None


def _restarts(samples: Sequence[EngineSample], families: MetricMap) -> tuple[str, ...]:
    """Say where the process start time changed or a counter fell between two samples."""
    reasons: list[str] = []
    counters = [name for name, family in families.items() if family.kind == "counter"]
    for before, after in pairwise(samples):
        if before.started_at != after.started_at:
            reasons.append(f"process start changed from {before.started_at} to {after.started_at}")
        for name in counters:
            old, new = before.values[name], after.values[name]
            if old is not None and new is not None and new < old:
                reasons.append(f"{name} fell from {old:g} to {new:g}")
    return tuple(reasons)
