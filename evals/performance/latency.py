"""What one trace says: latencies of a request, by design/measurement.md.

Example: scheduled at 0, sent at 2 ms, first read (1 token) at 102 ms, last token (the 11th) at
602 ms: ttft 102 ms, ttft_send 100 ms, tpot 500 / 10 = 50 ms, e2e 602 ms, send lag 2 ms.
"""

from evals.results import Outcome, Trace
from evals.workload.slo import Slo

NS_PER_MS = 1e6
LEFT: tuple[Outcome, ...] = ("client_cancelled", "client_disconnected")  # by plan: nobody failed


def ttft_ms(trace: Trace) -> float | None:
    """Scheduled to first token."""
    return _span_ms(trace.scheduled_ns, trace.first_token_ns)


def ttft_send_ms(trace: Trace) -> float | None:
    """Sent to first token."""
    return _span_ms(trace.sent_ns, trace.first_token_ns)


def tpot_ms(trace: Trace) -> float | None:
    """(l - f) / (n - n1); None where nothing came after the first read."""
    span = _span_ms(trace.first_token_ns, trace.last_token_ns)
    num_after = tokens_after_first_read(trace)
    if span is None or num_after is None or num_after < 1:
        return None
    return span / num_after


def e2e_ms(trace: Trace) -> float | None:
    """Scheduled to last token; to the end of an answer that came whole."""
    is_whole = trace.first_token_ns is None and trace.outcome == "ok"
    return _span_ms(trace.scheduled_ns, trace.end_ns if is_whole else trace.last_token_ns)


def max_gap_ms(trace: Trace) -> float | None:
    """Longest gap between two token-bearing reads."""
    return None if trace.max_gap_ns is None else trace.max_gap_ns / NS_PER_MS


def send_lag_ms(trace: Trace) -> float:
    """Scheduled to sent: the client's own delay."""
    return (trace.sent_ns - trace.scheduled_ns) / NS_PER_MS


def tokens_in_first_read(trace: Trace) -> int:
    """Give n1: 1 where the server does not count per chunk."""
    return 1 if trace.first_read_tokens is None else trace.first_read_tokens


def tokens_after_first_read(trace: Trace) -> int | None:
    """Give n - n1."""
    if trace.output_tokens is None:
        return None
    return trace.output_tokens - tokens_in_first_read(trace)


def is_good(trace: Trace, slo: Slo) -> bool:
    """Whether the request ended well, met every limit that applies, and answered what was asked."""
    asked = limits(trace, slo)
    is_fast = bool(asked) and all(value <= limit for value, limit in asked)
    return is_fast and trace.is_valid is not False


def slo_use(trace: Trace, slo: Slo) -> float | None:
    """Return the share of its tightest limit that a request used; None without an answer.

    Example: TTFT 100 of 200 ms, TPOT 45 of 60 ms: .75.
    """
    asked = limits(trace, slo)
    return max(value / limit for value, limit in asked) if asked else None


def limits(trace: Trace, slo: Slo) -> list[tuple[float, float]]:
    """List what is judged beside its limit, both in ms; nothing where there is no answer.

    Without a TPOT (one read), TTFT alone is asked. An answer that came whole has neither: it is
    asked for the time that both limits allow together, or for the limit on E2E.

    Example: 11 tokens that came whole, limits 200 and 60 ms: 200 + 10 x 60 = 800 ms.
    """
    e2e = e2e_ms(trace)
    if trace.outcome != "ok" or e2e is None:
        return []
    ttft = ttft_ms(trace)
    if ttft is None:
        num_after = max(0, (trace.output_tokens or 1) - 1)
        return [(e2e, slo.e2e_ms or slo.ttft_ms + num_after * slo.tpot_ms)]
    pairs = [
        (ttft, slo.ttft_ms),
        (tpot_ms(trace), slo.tpot_ms),
        (e2e, slo.e2e_ms),
        (max_gap_ms(trace), slo.max_gap_ms),
    ]
    return [(value, limit) for value, limit in pairs if value is not None and limit is not None]


def _span_ms(start_ns: int | None, end_ns: int | None) -> float | None:
    if start_ns is None or end_ns is None:
        return None
    return (end_ns - start_ns) / NS_PER_MS
