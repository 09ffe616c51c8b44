"""One cell, or one sender's share of it, while it is being sent.

The schedule is absolute on the monotonic clock. Arrivals go on unmeasured until every judged
request has ended or timed out, so that the last of them do not enjoy a falling load.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

from evals.performance.client.alarm import Alarm
from evals.performance.client.exchange import Exchange, Sending
from evals.performance.client.job import Job
from evals.performance.client.pool import Pool
from evals.performance.client.request import RequestWriter
from evals.performance.latency import LEFT, is_good
from evals.results import Trace
from evals.workload.plan import PlannedRequest
from variants.errors import MeasurementError

ERROR_PAUSE_S = 0.1  # a closed loop would else burn its prompts on an engine that refuses at once
FEW = 8  # requests; about .2 ms
NO_FAILURE = ("ok", "client_disconnected")


class CellRun:
    """Sends its requests and keeps their traces."""

    def __init__(self, job: Job, requests: Sequence[PlannedRequest], pool: Pool) -> None:
        """Take the requests that are this sender's own. Needs a running loop."""
        self._job = job
        self._writer = RequestWriter(job.endpoint, job.plan)
        self._requests = requests
        self._pool = pool
        self._pending = sum(request.phase == "window" for request in requests)
        self._is_window_closed = False
        self._failure: MeasurementError | None = None
        self._over = asyncio.Event()
        self._live: set[Exchange] = set()
        self._num_free = 0
        self._num_missed = 0
        self.is_given_up = False
        self.traces: list[Trace] = []
        self.window_start_ns = 0
        self.window_end_ns = 0

    async def run(self, start_ns: int) -> None:
        """Send until every judged request has ended, then cancel what is unmeasured.

        Raises:
            MeasurementError: a closed loop has used up its prompts, or a callback failed.
        """
        plan = self._job.plan
        self.window_start_ns = start_ns + plan.ramp_ns
        self.window_end_ns = self.window_start_ns + plan.window_ns
        asyncio.get_running_loop().set_exception_handler(self._fail)
        window_end, arrivals = Alarm(), Alarm()
        window_end.set(self.window_end_ns, self._close_window)
        try:
            if plan.is_open:
                _Arrivals(self, self._requests, start_ns, arrivals)
            else:
                self._start_workers(start_ns, arrivals)
            await self._over.wait()
        finally:
            window_end.close()
            arrivals.close()
        for exchange in tuple(self._live):
            exchange.cancel()
        if self._failure is not None:
            raise self._failure

    def wire(self, request: PlannedRequest) -> bytes:
        """Write a request as it goes out."""
        return self._writer.write(request)

    def send(self, request: PlannedRequest, wire: bytes, due_ns: int | None) -> None:
        """Send one request; due None is now."""
        is_judged = request.phase == "window"
        if request.phase == "free":
            is_judged = self.window_start_ns <= time.monotonic_ns() < self.window_end_ns
            self._pending += is_judged
        plan = self._job.plan
        sending = Sending(
            index=request.index,
            request=wire,
            scheduled_ns=due_ns,
            is_judged=is_judged,
            timeout_ns=plan.timeout_ns,
            is_streaming=plan.is_streaming,
            keeps_answer=plan.ask != "text",
            leave=request.leave,
        )
        self._live.add(Exchange(sending, self._pool, self._end))

    def _end(self, exchange: Exchange, trace: Trace) -> None:
        self._live.discard(exchange)
        self.traces.append(trace)
        self._pending -= trace.is_judged
        self._note_missed(trace)
        self._note_over()
        if not self._job.plan.is_open and not self._over.is_set():
            if trace.outcome in NO_FAILURE:
                self._free_worker()
            else:
                asyncio.get_running_loop().call_later(ERROR_PAUSE_S, self._free_worker)

    def _note_missed(self, trace: Trace) -> None:
        """Give up once too many have missed the SLO; the rest would change nothing."""
        patience = self._job.plan.patience
        if patience is None or not trace.is_judged or self._over.is_set():
            return
        self._num_missed += trace.outcome not in LEFT and not is_good(trace, patience.slo)
        if self._num_missed > patience.max_missed:
            self.is_given_up = True
            self._over.set()

    def _fail(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End at once where a callback failed: the loop alone would log it and go on."""
        self._failure = MeasurementError(
            f"the sender failed: {context.get('exception') or context['message']!r}"
        )
        self._over.set()

    def _close_window(self) -> None:
        self._is_window_closed = True
        self._note_over()

    def _note_over(self) -> None:
        if self._is_window_closed and self._pending == 0:
            self._over.set()

    def _start_workers(self, start_ns: int, alarm: Alarm) -> None:
        first = [request for request in self._requests if request.offset_ns is not None]
        self._free: Iterator[PlannedRequest] = iter(self._requests[len(first) :])
        _Arrivals(self, first, start_ns, alarm)

    def _free_worker(self) -> None:
        """Let a worker go on as soon as what is ready has been read.

        Where many answers end at once, a few go on at a time: what arrives meanwhile is stamped.
        """
        if not self._num_free:
            asyncio.get_running_loop().call_soon(self._work)
        self._num_free += 1

    def _work(self) -> None:
        for _ in range(min(FEW, self._num_free)):
            self._num_free -= 1
            self._send_next()
        if self._num_free:
            asyncio.get_running_loop().call_soon(self._work)

    def _send_next(self) -> None:
        if self._over.is_set():
            return
        request = next(self._free, None)
        if request is None:
            self._failure = MeasurementError(
                "the closed loop has sent all its prompts before the window ended; "
                "shorten the window, or ask for more output tokens"
            )
            self._over.set()
        else:
            self.send(request, self.wire(request), None)


class _Arrivals:
    """Sends each request when it is due; the next one is written out while there is time."""

    def __init__(
        self, run: CellRun, requests: Sequence[PlannedRequest], start_ns: int, alarm: Alarm
    ) -> None:
        self._run = run
        self._rest = iter(requests)
        self._start_ns = start_ns
        self._alarm = alarm
        self._prepare()

    def _prepare(self) -> None:
        request = next(self._rest, None)
        if request is not None:
            assert request.offset_ns is not None, "an arrival has a time"
            self._next = request, self._run.wire(request), self._start_ns + request.offset_ns
            self._alarm.set(self._next[2], self._send)

    def _send(self) -> None:
        request, wire, due_ns = self._next
        self._run.send(request, wire, None if request.phase == "free" else due_ns)
        self._prepare()
