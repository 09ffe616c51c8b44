"""The client of a cell, in a process of its own: `python -m evals.performance.sender`.

Reads the path of one job per line of standard input, sends its plan, writes the traces as JSON
lines and answers one line. It is a process of its own because a busy parent would show as latency
of the server (inference-perf issue #648), and it measures its own lag with a heartbeat. The
schedule is absolute on the monotonic clock; arrivals go on unmeasured until every judged request
has ended or timed out, so that the last of them do not enjoy a falling load.
"""

import asyncio
import contextlib
import gc
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpcore

from evals.performance.exchange import Exchange, Sending, completion_body
from evals.performance.job import Job, Reply
from evals.performance.plan import NS_PER_S, Plan, PlannedRequest
from evals.performance.stamped_network import open_pool
from evals.results import Trace
from variants.errors import MeasurementError

HEARTBEAT_S = 0.010
LEAD_NS = 50_000_000  # from the end of preparation to the start of the ramp
WARM_CONNECTIONS = 64  # opened before an open loop; a closed loop opens one per worker
WARM_TIMEOUT_S = 10.0
ERROR_PAUSE_S = 0.1  # a closed loop would else burn its prompts on an engine that refuses at once
PRIORITY = -10  # nice value of the client; the engine keeps its own


class CellRun:
    """One cell while it is being sent."""

    def __init__(self, job: Job, exchange: Exchange) -> None:
        self._job = job
        self._plan: Plan = job.plan
        self._exchange = exchange
        self._pending = sum(request.phase == "window" for request in job.plan.requests)
        self._is_window_closed = False
        self._over = asyncio.Event()
        self.traces: list[Trace] = []
        self.start_ns = time.monotonic_ns() + LEAD_NS
        self.window_start_ns = self.start_ns + job.plan.ramp_ns
        self.window_end_ns = self.window_start_ns + job.plan.window_ns

    async def run(self) -> None:
        """Send until every judged request has ended, then cancel what is unmeasured."""
        asyncio.get_running_loop().call_at(self.window_end_ns / NS_PER_S, self._close_window)
        await (self._run_open() if self._plan.is_open else self._run_closed())

    def _close_window(self) -> None:
        self._is_window_closed = True
        self._note_over()

    def _note_over(self) -> None:
        if self._is_window_closed and self._pending == 0:
            self._over.set()

    async def _run_open(self) -> None:
        tasks = []
        for request in self._plan.requests:
            assert request.offset_ns is not None
            body = self._body(request)
            due_ns = self.start_ns + request.offset_ns
            if await self._is_over_before(due_ns):
                break
            is_judged = request.phase == "window"
            tasks.append(asyncio.create_task(self._send(request.index, body, due_ns, is_judged)))
        await self._over.wait()
        await _cancel(tasks)

    async def _run_closed(self) -> None:
        assert self._plan.closed is not None
        first, free = self._plan.requests[: self._plan.closed], self._plan.requests
        pool = iter(free[self._plan.closed :])
        workers = [asyncio.create_task(self._work(request, pool)) for request in first]
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait({over, *workers}, return_when=asyncio.FIRST_COMPLETED)
        self._over.set()  # a worker that failed ends the others too
        await _cancel([over, *workers])

    async def _work(self, request: PlannedRequest, pool: Iterator[PlannedRequest]) -> None:
        is_over = await self._is_over_before(self.start_ns + (request.offset_ns or 0))
        while not is_over:
            body = self._body(request)
            is_judged = self.window_start_ns <= time.monotonic_ns() < self.window_end_ns
            self._pending += is_judged
            trace = await self._send(request.index, body, None, is_judged)
            if trace.outcome != "ok":
                await asyncio.sleep(ERROR_PAUSE_S)
            is_over = self._over.is_set()
            request = request if is_over else _next_prompt(pool)

    async def _is_over_before(self, due_ns: int) -> bool:
        try:
            async with asyncio.timeout_at(due_ns / NS_PER_S):
                await self._over.wait()
        except TimeoutError:
            return False
        return True

    def _body(self, request: PlannedRequest) -> bytes:
        return completion_body(self._job.endpoint, self._plan, request)

    async def _send(self, index: int, body: bytes, due_ns: int | None, is_judged: bool) -> Trace:
        trace = await self._exchange.send(
            Sending(index, body, due_ns, is_judged, self._plan.timeout_ns)
        )
        self.traces.append(trace)
        self._pending -= is_judged
        self._note_over()
        return trace


def _next_prompt(pool: Iterator[PlannedRequest]) -> PlannedRequest:
    request = next(pool, None)
    if request is None:
        raise MeasurementError(
            "the closed loop has sent all its prompts before the window ended; "
            "shorten the window, or ask for more output tokens"
        )
    return request


async def _cancel(tasks: Sequence["asyncio.Task[object]"]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


async def beat(lags: list[tuple[int, float]]) -> None:
    """Append the time and the lag in ms of a heartbeat every 10 ms, until cancelled."""
    while True:
        before_ns = time.monotonic_ns()
        await asyncio.sleep(HEARTBEAT_S)
        now_ns = time.monotonic_ns()
        lags.append((now_ns, (now_ns - before_ns) / 1e6 - HEARTBEAT_S * 1e3))


async def warm_pool(exchange: Exchange, plan: Plan) -> None:
    """Open connections before the start, so that no request pays for one.

    Raises:
        MeasurementError: the endpoint does not answer /health.
    """
    num_connections = plan.closed or min(WARM_CONNECTIONS, len(plan.requests))
    try:
        async with asyncio.timeout(WARM_TIMEOUT_S):
            await asyncio.gather(*(exchange.check_health() for _ in range(num_connections)))
    except (httpcore.NetworkError, httpcore.ProtocolError, TimeoutError) as error:
        raise MeasurementError(
            f"the endpoint does not answer /health ({type(error).__name__}: {error}); "
            "look at the engine's log"
        ) from error


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Keep the garbage collector out of the window: a full collection stops every stamp."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


async def send_job(job: Job) -> Reply:
    """Send one plan and write its traces."""
    lags: list[tuple[int, float]] = []
    async with open_pool() as pool:
        exchange = Exchange(job.endpoint, pool)
        await warm_pool(exchange, job.plan)
        heart = asyncio.create_task(beat(lags))
        with quiet_collector():
            run = CellRun(job, exchange)
            await run.run()
        heart.cancel()
    traces = sorted(run.traces, key=lambda trace: trace.index)
    Path(job.traces).write_text("".join(trace.model_dump_json() + "\n" for trace in traces))
    return Reply(
        start_ns=run.start_ns,
        start_wall_ns=time.time_ns() - (time.monotonic_ns() - run.start_ns),
        loop_lag_ms=tuple(
            lag for at_ns, lag in lags if run.window_start_ns <= at_ns < run.window_end_ns
        ),
    )


def _come_first() -> None:
    """Ask for priority: a client that waits for a core stamps late. Refused without privilege.

    Measured beside a busy engine on 2 cores, p99 lag of a 10 ms heartbeat: 4 to 6 ms as it is,
    .3 to 1.3 ms at nice -10, .2 ms with real-time priority. The client sleeps most of the time.
    """
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def main() -> None:
    """Serve jobs until standard input ends."""
    _come_first()
    for line in sys.stdin:
        job = Job.model_validate_json(Path(line.strip()).read_bytes())
        try:
            reply = asyncio.run(send_job(job))
        except MeasurementError as error:
            reply = Reply(error=str(error))
        print(reply.model_dump_json(), flush=True)


if __name__ == "__main__":
    main()
