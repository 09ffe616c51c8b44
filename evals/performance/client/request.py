"""What planned requests look like on the wire (adapter: msgspec).

Text is asked for by token ids and at a fixed length. JSON and tool calls are asked for as a chat,
in the fields of the OpenAI format, and end when they like.
"""

from urllib.parse import urlsplit

import msgspec

from evals.performance.endpoint import Endpoint
from evals.workload.asks import fields_of
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


class RequestWriter:
    """Writes the requests of one plan."""

    def __init__(self, endpoint: Endpoint, plan: Plan) -> None:
        """Note what all of them share."""
        path = "/v1/completions" if plan.ask == "text" else "/v1/chat/completions"
        self._model, self._plan = endpoint.model, plan
        self._pieces = dict(zip(plan.stream, plan.pieces, strict=bool(plan.pieces)))
        self._head = (
            f"POST {path} HTTP/1.1\r\nHost: {urlsplit(endpoint.base_url).netloc}\r\n"
            "Content-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: "
        ).encode()

    def write(self, request: PlannedRequest) -> bytes:
        """Write head and body; usage comes in every chunk."""
        plan = self._plan
        asked = self._text(request) if plan.ask == "text" else self._chat(request)
        fields = {"model": request.adapter or self._model, "temperature": 0, **asked}
        if plan.is_streaming:
            fields |= STREAMING
        if request.tenant is not None:
            fields |= self._tenant(request.tenant)
        body = encode(fields)
        return b"%b%d\r\n\r\n%b" % (self._head, len(body), body)

    def _text(self, request: PlannedRequest) -> dict[str, object]:
        return {
            "prompt": self._plan.prompt(request),
            "max_tokens": request.output_tokens,
            "min_tokens": request.output_tokens,
            "ignore_eos": True,
        }

    def _chat(self, request: PlannedRequest) -> dict[str, object]:
        words = "".join(self._pieces[token] for token in self._plan.prompt(request))
        return {
            "messages": [{"role": "user", "content": words}],
            "max_completion_tokens": request.output_tokens,
            **fields_of(self._plan.ask, request.variety),
        }

    def _tenant(self, place: int) -> dict[str, object]:
        tenant = self._plan.tenants[place]
        fields: dict[str, object] = {"user": tenant.name}
        if tenant.priority:
            fields["priority"] = tenant.priority
        if tenant.has_own_cache:
            fields["cache_salt"] = tenant.name
        return fields
