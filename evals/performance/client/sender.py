"""The client of a cell, in a process of its own: `python -m evals.performance.client.sender`.

Reads one order per line of standard input, opens its connections, answers that it is ready, waits
for the start, sends, writes the traces as JSON lines and answers once more. It is a process of its
own because a busy parent would show as latency of the server (inference-perf issue #648).
"""

import asyncio
import contextlib
import gc
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvloop

from evals.performance.client.cell_run import CellRun
from evals.performance.client.heartbeat import Heartbeat, Stall
from evals.performance.client.job import Job, Order, Ready, Reply, Start
from evals.performance.client.pool import Pool
from evals.performance.client.request import health_request
from evals.performance.client.warming import NotReady, warm
from evals.results import Result
from evals.workload.plan import Plan, PlannedRequest
from variants.errors import MeasurementError

WARM_CONNECTIONS = 64  # opened before an open loop; a closed loop opens one per worker
PRIORITY = -10  # nice value of the client; the engine keeps its own


def share(plan: Plan, order: Order) -> Sequence[PlannedRequest]:
    """Give one sender's share of a plan: every request is in exactly one."""
    return plan.requests[order.shard :: order.num_shards]


async def send_job(job: Job, order: Order) -> Reply | None:
    """Send one plan and write its traces; None where it could not even begin, which was said."""
    pool = Pool(job.endpoint.base_url)
    requests = share(job.plan, order)
    try:
        await warm(pool, health_request(job.endpoint), _num_connections(job.plan, requests))
        return await _send(CellRun(job, requests, pool), order, job.plan.client_stall_ns)
    except NotReady as error:
        say(Ready(error=str(error)))
        return None
    except MeasurementError as error:
        return Reply(error=str(error))
    finally:
        pool.close()


def _num_connections(plan: Plan, requests: Sequence[PlannedRequest]) -> int:
    if plan.is_open:
        return min(WARM_CONNECTIONS, len(requests))
    return sum(request.offset_ns is not None for request in requests)


async def _send(run: CellRun, order: Order, stall_ns: int) -> Reply:
    heart, stall = Heartbeat(), Stall(stall_ns)
    with quiet_collector():
        say(Ready())
        await run.run(_await_start())
    over_ns = time.monotonic_ns()
    heart.stop()
    stall.stop()
    Path(order.traces).write_text("".join(trace.model_dump_json() + "\n" for trace in run.traces))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Reply(
        over_ns=over_ns,
        is_given_up=run.is_given_up,
        loop_lag_ms=heart.lags_ms(run.window_start_ns, run.window_end_ns),
        cpu_s=used.ru_utime + used.ru_stime,
        peak_bytes=used.ru_maxrss * 1024,
    )


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


def _await_start() -> int:
    """Wait for the start; nothing else is to be done until then."""
    line = sys.stdin.readline()
    if not line:
        sys.exit("the parent went away before the start")
    return Start.model_validate_json(line).at_ns


def say(answer: Result) -> None:
    """Answer the parent."""
    print(answer.model_dump_json(), flush=True)


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
    """Serve orders until standard input ends."""
    _come_first()
    while line := sys.stdin.readline():
        order = Order.model_validate_json(line)
        job = Job.model_validate_json(Path(order.job).read_bytes())
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            answer = runner.run(send_job(job, order))
        if answer is not None:
            say(answer)


if __name__ == "__main__":
    main()
