"""Traces of one cell -> its numbers, each with a unit in its name.

Definitions: design/measurement.md. Latencies are of judged requests that ended ok; failures stand
beside them as `num_errors` and count against `attainment`. What was not measured is None.

Example: 10 judged requests, 8 good, 1 slow, 1 failed, window 5 s: attainment 8 / 10 = 0.8,
goodput 8 / 5 = 1.6 requests/s.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evals.performance import latency
from evals.performance.latency import LEFT
from evals.performance.percentiles import mean, observed_p99, percentile
from evals.results import Trace
from evals.statistics import autocorrelation_time
from evals.workload.arrivals import dispersion
from evals.workload.plan import NS_PER_S
from evals.workload.slo import Slo

Direction = Literal["lower", "higher", "none"]
NUM_BINS = 10  # of a window, to tell bursts from an even flow
Numbers = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Metric:
    """What a number means and which way is better."""

    unit: str
    direction: Direction
    definition: str


@dataclass(frozen=True, slots=True)
class Window:
    """What the traces are judged against. Stamps are monotonic nanoseconds."""

    start_ns: int
    end_ns: int
    is_open: bool
    slo: Slo

    @property
    def seconds(self) -> float:
        """Length."""
        return (self.end_ns - self.start_ns) / NS_PER_S


TTFT = "first token - scheduled"
TPOT = "(last token - first token) / (tokens - tokens of the first read)"
E2E = "last token - scheduled"
GAP = "longest gap between token-bearing reads of a request"
P90, P95, P99 = "p90 (n >= 64) of ", "p95 (n >= 130) of ", "p99 (n >= 662) of "
USE = "the larger of TTFT / limit and TPOT / limit"
OK = ", over judged requests that ended ok"

METRICS: dict[str, Metric] = {
    "ttft_ms_mean": Metric("ms", "lower", f"mean of {TTFT}{OK}"),
    "ttft_ms_p50": Metric("ms", "lower", f"median of {TTFT}{OK}"),
    "ttft_ms_p90": Metric("ms", "lower", f"{P90}{TTFT}{OK}"),
    "ttft_ms_p95": Metric("ms", "lower", f"{P95}{TTFT}{OK}"),
    "ttft_ms_p99": Metric("ms", "lower", f"{P99}{TTFT}{OK}"),
    "ttft_send_ms_p50": Metric("ms", "lower", f"median of first token - sent{OK}"),
    "tpot_ms_mean": Metric("ms", "lower", f"mean of {TPOT}{OK}"),
    "tpot_ms_p50": Metric("ms", "lower", f"median of {TPOT}{OK}"),
    "tpot_ms_p90": Metric("ms", "lower", f"{P90}{TPOT}{OK}"),
    "tpot_ms_p95": Metric("ms", "lower", f"{P95}{TPOT}{OK}"),
    "tpot_ms_p99": Metric("ms", "lower", f"{P99}{TPOT}{OK}"),
    "e2e_ms_mean": Metric("ms", "lower", f"mean of {E2E}{OK}"),
    "e2e_ms_p50": Metric("ms", "lower", f"median of {E2E}{OK}"),
    "e2e_ms_p90": Metric("ms", "lower", f"{P90}{E2E}{OK}"),
    "e2e_ms_p95": Metric("ms", "lower", f"{P95}{E2E}{OK}"),
    "e2e_ms_p99": Metric("ms", "lower", f"{P99}{E2E}{OK}"),
    "max_gap_ms_p50": Metric("ms", "lower", f"median of {GAP}{OK}"),
    "max_gap_ms_p90": Metric("ms", "lower", f"{P90}{GAP}{OK}"),
    "max_gap_ms_p99": Metric("ms", "lower", f"{P99}{GAP}{OK}"),
    "send_lag_ms_p99": Metric(
        "ms", "lower", "value that 99 % of sent - scheduled are not above, all judged; no floor"
    ),
    "output_tokens_per_s": Metric(
        "tokens/s",
        "higher",
        "tokens that arrived inside the window / window, of all requests however judged: those of "
        "the first read at its stamp, the rest spread evenly from first to last token; those of "
        "an answer that came whole at its end",
    ),
    "request_rate_rps": Metric("requests/s", "none", "judged requests / window"),
    "goodput_rps": Metric("requests/s", "higher", "good requests / window; open loop only"),
    "goodput_tokens_per_s": Metric(
        "tokens/s", "higher", "output tokens of good requests / window; open loop only"
    ),
    "attainment": Metric(
        "share",
        "higher",
        "good / judged; open loop only; errors are not good, who left by plan is not judged",
    ),
    "slo_use_log_mean": Metric("nats", "lower", f"mean of ln({USE}); open loop, all judged ok"),
    "slo_use_log_sd": Metric("nats", "lower", f"standard deviation of ln({USE}), as above"),
    "slo_use_correlation": Metric(
        "requests", "lower", f"integrated autocorrelation time of ln({USE}), in order of arrival"
    ),
    "recovery_ms": Metric(
        "ms",
        "lower",
        "last caller gone - nothing runs or waits, KV usage is back, no token is generated",
    ),
    "valid_answers": Metric(
        "share", "higher", f"answers that are the JSON or the call that was asked for / all{OK}"
    ),
    "arrival_dispersion": Metric(
        "", "none", "variance of realised arrivals per tenth of the window / their mean; 1: Poisson"
    ),
    "output_tokens_mean": Metric("tokens", "none", f"mean length of an answer{OK}"),
    "num_judged": Metric("requests", "none", "requests that arrived inside the window"),
    "num_errors": Metric("requests", "lower", "judged requests that did not end ok"),
}

LATENCIES: dict[str, Callable[[Trace], float | None]] = {
    "ttft_ms": latency.ttft_ms,
    "ttft_send_ms": latency.ttft_send_ms,
    "tpot_ms": latency.tpot_ms,
    "e2e_ms": latency.e2e_ms,
    "max_gap_ms": latency.max_gap_ms,
}


def summarize(traces: Sequence[Trace], window: Window) -> Numbers:
    """Give every metric of METRICS."""
    judged = [trace for trace in traces if trace.is_judged and trace.outcome not in LEFT]
    ok = [trace for trace in judged if trace.outcome == "ok"]
    numbers: Numbers = {
        "send_lag_ms_p99": observed_p99([latency.send_lag_ms(trace) for trace in judged]),
        "output_tokens_per_s": output_tokens_per_s(traces, window),
        "request_rate_rps": len(judged) / window.seconds,
        "num_judged": float(len(judged)),
        "num_errors": float(len(judged) - len(ok)),
        "valid_answers": mean([float(x.is_valid) for x in ok if x.is_valid is not None]),
        "arrival_dispersion": _dispersion(traces, window),
        "output_tokens_mean": mean([x.output_tokens for x in ok if x.output_tokens is not None]),
        "recovery_ms": None,  # known only after the traces: `profile.measure_cell`
        **_goodput(judged, window),
        **_slo_use(judged, window),
    }
    for name, measure in LATENCIES.items():
        values = [value for trace in ok if (value := measure(trace)) is not None]
        numbers |= _distribution(name, values)
    return {name: numbers[name] for name in METRICS}


def _dispersion(traces: Sequence[Trace], window: Window) -> float | None:
    """Of what was really sent; a closed loop has no arrivals of its own."""
    if not window.is_open:
        return None
    sent_s = [(x.sent_ns - window.start_ns) / NS_PER_S for x in traces if x.is_judged]
    return dispersion(np.array(sent_s), window.seconds, window.seconds / NUM_BINS)


def _distribution(name: str, values: Sequence[float]) -> Numbers:
    tails = {f"{name}_p{percent}": percentile(values, percent) for percent in (50, 90, 95, 99)}
    return {f"{name}_mean": mean(values), **tails}


def _goodput(judged: Sequence[Trace], window: Window) -> Numbers:
    if not window.is_open:
        return dict.fromkeys(("goodput_rps", "goodput_tokens_per_s", "attainment"))
    good = [trace for trace in judged if latency.is_good(trace, window.slo)]
    tokens = [trace.output_tokens for trace in good if trace.output_tokens is not None]
    is_counted = len(tokens) == len(good)
    return {
        "goodput_rps": len(good) / window.seconds,
        "goodput_tokens_per_s": sum(tokens) / window.seconds if is_counted else None,
        "attainment": len(good) / len(judged) if judged else None,
    }


def _slo_use(judged: Sequence[Trace], window: Window) -> Numbers:
    """How much of the SLO the requests used.

    Unmeasured where one had no answer, or not the one asked: it used the SLO up, whatever it took.
    """
    uses = [latency.slo_use(trace, window.slo) for trace in judged]
    logs = [math.log(use) for use in uses if use is not None and use > 0]
    is_wrong = any(trace.is_valid is False for trace in judged)
    if not window.is_open or is_wrong or len(logs) < len(judged) or len(logs) < 2:
        return dict.fromkeys(("slo_use_log_mean", "slo_use_log_sd", "slo_use_correlation"))
    return {
        "slo_use_log_mean": statistics.fmean(logs),
        "slo_use_log_sd": statistics.stdev(logs),
        "slo_use_correlation": autocorrelation_time(logs),
    }


def output_tokens_per_s(traces: Sequence[Trace], window: Window) -> float | None:
    """Count the tokens that arrived inside the window; None where one request has no count.

    A trace keeps the stamps of its first and last token, so the tokens between them are spread
    evenly; at each end of the window this errs by less than one read per request in flight.
    """
    is_whole = [trace.first_token_ns is None and trace.outcome == "ok" for trace in traces]
    counts = [
        _tokens_at_end(trace, window) if whole else _tokens_inside(trace, window)
        for trace, whole in zip(traces, is_whole, strict=True)
        if whole or trace.first_token_ns is not None
    ]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts):
        return None
    return sum(known) / window.seconds


def _tokens_at_end(trace: Trace, window: Window) -> float | None:
    """Count an answer that came whole when it came."""
    if trace.output_tokens is None:
        return None
    return trace.output_tokens * float(window.start_ns <= trace.end_ns < window.end_ns)


def _tokens_inside(trace: Trace, window: Window) -> float | None:
    num_after = latency.tokens_after_first_read(trace)
    first, last = trace.first_token_ns, trace.last_token_ns
    if num_after is None or first is None or last is None:
        return None
    at_first = latency.tokens_in_first_read(trace) * (window.start_ns <= first < window.end_ns)
    if last == first:
        return float(at_first)
    overlap_ns = max(0, min(last, window.end_ns) - max(first, window.start_ns))
    return at_first + num_after * overlap_ns / (last - first)
