"""One request and its answer, as a trace."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from evals.performance.client.answer import ERROR_CHARACTERS
from evals.performance.client.connection import Connection
from evals.performance.client.pool import Pool
from evals.performance.client.stream import StreamRecord
from evals.performance.client.whole import WholeRecord
from evals.results import Outcome, Trace
from evals.workload.plan import NS_PER_S, Leave


@dataclass(frozen=True, slots=True)
class Sending:
    """One request that is due."""

    index: int
    request: bytes  # head and body as they go on the wire
    scheduled_ns: int | None  # None: now, as in a closed loop
    is_judged: bool
    timeout_ns: int
    is_streaming: bool = True
    keeps_answer: bool = False  # its words too, where they are judged
    leave: Leave | None = None


OnEnd = Callable[["Exchange", Trace], None]


class Exchange:
    """Sends one request, reads to the end, and never raises: what went wrong is in the trace.

    The trace goes to `on_end` exactly once, and never before the constructor has returned.
    """

    def __init__(self, sending: Sending, pool: Pool, on_end: OnEnd) -> None:
        """Send on an idle connection at once, or on a new one as soon as it is open."""
        self._sending = sending
        self._pool = pool
        self._on_end = on_end
        kind = StreamRecord if sending.is_streaming else WholeRecord
        self._record = kind(keeps_words=sending.keeps_answer)
        self._status = 0
        self._error_words = b""
        self._sent_ns = time.monotonic_ns()
        self._scheduled_ns = self._sent_ns if sending.scheduled_ns is None else sending.scheduled_ns
        self._connection: Connection | None = None
        self._opening: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._num_wanted = sending.leave.after_tokens if sending.leave else None
        self._is_over = False
        loop = asyncio.get_running_loop()
        due_s = (self._scheduled_ns + sending.timeout_ns) / NS_PER_S
        self._timer = loop.call_at(due_s, self._time_out)
        connection = pool.take()
        if connection is None:
            self._opening = loop.create_task(self._open())
        else:
            self._ask(connection)

    def cancel(self) -> None:
        """Go away, as a client that has lost interest."""
        self._leave("client_cancelled")

    def on_head(self, status: int, read_ns: int) -> None:
        """Note the status (called by the connection)."""
        self._status = status
        self._record.first_byte_ns = read_ns

    def on_body(self, read_ns: int, part: bytes) -> None:
        """Take a part of the body (called by the connection)."""
        if 200 <= self._status < 300:
            self._record.feed(read_ns, part)
            if self._num_wanted is not None and self._record.num_tokens >= self._num_wanted:
                self._leave("client_disconnected")
        elif len(self._error_words) < ERROR_CHARACTERS:
            self._error_words += part

    def on_end(self) -> None:
        """Judge the whole answer (called by the connection)."""
        if 200 <= self._status < 300:
            self._finish(self._record.outcome(), self._record.error)
        else:
            words = self._error_words.decode("utf-8", errors="replace")
            self._finish("http_error", f"{self._status}: {words}")

    def on_lost(self, words: str) -> None:
        """Note that the server went away (called by the connection)."""
        self._finish("stream_error", words)

    async def _open(self) -> None:
        try:
            connection = await self._pool.open()
        except OSError as error:
            self._finish("stream_error", f"no connection: {type(error).__name__}: {error}")
        else:
            self._ask(connection)

    def _ask(self, connection: Connection) -> None:
        self._connection = connection
        self._sent_ns = time.monotonic_ns()
        if self._sending.scheduled_ns is None:
            self._scheduled_ns = self._sent_ns
        connection.ask(self._sending.request, self)
        leave = self._sending.leave
        if leave is not None and leave.after_ns is not None:
            loop = asyncio.get_running_loop()
            after_s = leave.after_ns / NS_PER_S
            self._leaving = loop.call_later(after_s, self._leave, "client_disconnected")

    def _time_out(self) -> None:
        words = f"not done {self._sending.timeout_ns / NS_PER_S:g} s after schedule"
        self._leave("timeout", words)

    def _leave(self, outcome: Outcome, words: str = "") -> None:
        if self._is_over:
            return
        if self._opening is not None:
            self._opening.cancel()
        if self._connection is not None:
            self._connection.abort()
        self._finish(outcome, words)

    def _finish(self, outcome: Outcome, words: str) -> None:
        self._is_over = True
        self._timer.cancel()
        if self._leaving is not None:
            self._leaving.cancel()
        record = self._record
        self._on_end(
            self,
            Trace(
                index=self._sending.index,
                scheduled_ns=self._scheduled_ns,
                sent_ns=self._sent_ns,
                first_byte_ns=record.first_byte_ns,
                first_token_ns=record.first_token_ns,
                last_token_ns=record.last_token_ns,
                end_ns=time.monotonic_ns(),
                prompt_tokens=record.prompt_tokens,
                cached_tokens=record.cached_tokens,
                output_tokens=record.output_tokens,
                first_read_tokens=record.first_read_tokens,
                max_gap_ns=record.max_gap_ns,
                outcome=outcome,
                error=words[:ERROR_CHARACTERS],
                answer=record.answer(),
                is_judged=self._sending.is_judged,
            ),
        )
