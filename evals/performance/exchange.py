"""One request and its answer, as a trace (adapter: httpcore)."""

import asyncio
import json
import time
from dataclasses import dataclass

import httpcore

from evals.performance.endpoint import Endpoint
from evals.performance.plan import NS_PER_S, Plan, PlannedRequest
from evals.performance.stamped_network import READ_NS
from evals.performance.stream import ERROR_CHARACTERS, StreamRecord
from evals.results import Outcome, Trace

HEADERS = [("Content-Type", "application/json"), ("Accept", "text/event-stream")]


@dataclass(frozen=True, slots=True)
class Sending:
    """One request that is due."""

    index: int
    body: bytes
    scheduled_ns: int | None  # None: now, as in a closed loop
    is_judged: bool
    timeout_ns: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a response ended."""

    outcome: Outcome
    error: str = ""


def completion_body(endpoint: Endpoint, plan: Plan, request: PlannedRequest) -> bytes:
    """Write the body: token ids, a fixed number of output tokens, usage in every chunk."""
    return json.dumps(
        {
            "model": endpoint.model,
            "prompt": plan.prompt(request),
            "max_tokens": plan.output_tokens,
            "min_tokens": plan.output_tokens,
            "ignore_eos": True,
            "temperature": 0,
            "stream": True,
            "stream_options": {"include_usage": True, "continuous_usage_stats": True},
        }
    ).encode()


class Exchange:
    """Sends requests to one endpoint over one pool."""

    def __init__(self, endpoint: Endpoint, pool: httpcore.AsyncConnectionPool) -> None:
        self._base_url = endpoint.base_url
        self._pool = pool

    async def check_health(self) -> None:
        """Ask once for /health, which opens a connection of the pool."""
        response = await self._pool.request("GET", f"{self._base_url}/health")
        if response.status != 200:
            raise httpcore.ProtocolError(f"/health answered {response.status}")

    async def send(self, sending: Sending) -> Trace:
        """Send, read to the end, and never raise: what went wrong is in the trace."""
        record = StreamRecord()
        sent_ns = time.monotonic_ns()
        scheduled_ns = sent_ns if sending.scheduled_ns is None else sending.scheduled_ns
        READ_NS.set(0)
        try:
            async with asyncio.timeout_at((scheduled_ns + sending.timeout_ns) / NS_PER_S):
                ending = await self._read(sending.body, record)
        except TimeoutError:
            ending = Ending(
                "timeout", f"not done {sending.timeout_ns / NS_PER_S:g} s after schedule"
            )
        except asyncio.CancelledError:
            ending = Ending("client_cancelled")
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            ending = Ending("stream_error", f"{type(error).__name__}: {error}"[:ERROR_CHARACTERS])
        return Trace(
            index=sending.index,
            scheduled_ns=scheduled_ns,
            sent_ns=sent_ns,
            first_byte_ns=record.first_byte_ns,
            first_token_ns=record.first_token_ns,
            last_token_ns=record.last_token_ns,
            end_ns=time.monotonic_ns(),
            prompt_tokens=record.prompt_tokens,
            cached_tokens=record.cached_tokens,
            output_tokens=record.output_tokens,
            first_read_tokens=record.first_read_tokens,
            max_gap_ns=record.max_gap_ns,
            outcome=ending.outcome,
            error=ending.error,
            is_judged=sending.is_judged,
        )

    async def _read(self, body: bytes, record: StreamRecord) -> Ending:
        url = f"{self._base_url}/v1/completions"
        async with self._pool.stream("POST", url, headers=HEADERS, content=body) as response:
            record.first_byte_ns = READ_NS.get()
            if not 200 <= response.status < 300:
                words = (await response.aread()).decode("utf-8", errors="replace")
                return Ending("http_error", f"{response.status}: {words}"[:ERROR_CHARACTERS])
            async for part in response.aiter_stream():
                record.feed(READ_NS.get(), part)
        return Ending(record.outcome(), record.error)
