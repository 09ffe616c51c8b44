"""What a planned request looks like on the wire (adapter: msgspec)."""

from urllib.parse import urlsplit

import msgspec

from evals.performance.endpoint import Endpoint
from evals.workload.plan import Plan, PlannedRequest

STREAMING: dict[str, object] = {
    "stream": True,
    "stream_options": {"include_usage": True, "continuous_usage_stats": True},
}
encode = msgspec.json.Encoder().encode


def health_request(endpoint: Endpoint) -> bytes:
    """Ask whether the server is well; it opens a connection without any work."""
    host = urlsplit(endpoint.base_url).netloc
    return f"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def completion_request(endpoint: Endpoint, plan: Plan, request: PlannedRequest) -> bytes:
    """Write head and body: token ids, a fixed number of output tokens, usage in every chunk."""
    fields: dict[str, object] = {
        "model": endpoint.model,
        "prompt": plan.prompt(request),
        "max_tokens": plan.output_tokens,
        "min_tokens": plan.output_tokens,
        "ignore_eos": True,
        "temperature": 0,
    }
    body = encode(fields | STREAMING if plan.is_streaming else fields)
    head = (
        f"POST /v1/completions HTTP/1.1\r\nHost: {urlsplit(endpoint.base_url).netloc}\r\n"
        f"Content-Type: application/json\r\nAccept: text/event-stream\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
