"""Known answers of the scripted endpoint through the real sender.

A sleep never ends early and a client never sees a byte before it was sent, so measured times are
never below the scripted ones; how far above they are is the machine's affair and is not asserted.
Differences of two stamps may lose what the first came late by: CLOCK_MS is left for that.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.performance import latency
from evals.performance.client.cell_run import CellRun
from evals.performance.client.job import Job
from evals.performance.client.pool import Pool
from evals.performance.client.sending import Sender, send_cell
from evals.performance.endpoint import Endpoint
from evals.performance.scrape import recovery_ms, scrape
from evals.results import Trace
from evals.workload.cell import CellSpec
from evals.workload.plan import Plan
from evals.workload.planning import plan_cell
from evals.workload.workload import Workload
from tests.evals.performance.conftest import Serve
from variants.errors import MeasurementError

STREAM = [(i * 7919) % 5000 for i in range(20_000)]
CLOCK_MS = 2.0
TPOT_MS = 20


def plan_of(cell: CellSpec, output_tokens: int = 4, timeout_s: float = 5) -> Plan:
    workload = Workload(
        input_tokens=32,
        output_tokens=output_tokens,
        cells=(cell,),
        ramp_s=0.1,
        window_s=0.6,
        timeout_s=timeout_s,
    )
    return plan_cell(workload, cell, 7, 0, STREAM)


OPEN, CLOSED = CellSpec(poisson=20), CellSpec(closed=2)


def judged(traces: Sequence[Trace]) -> list[Trace]:
    return [trace for trace in traces if trace.is_judged]


def median(values: Sequence[float | None]) -> float:
    known = sorted(value for value in values if value is not None)
    assert len(known) == len(values) > 0
    return known[len(known) // 2]


def test_open_loop_recovers_the_scripted_times(serve: Serve, tmp_path: Path) -> None:
    endpoint = serve(ttft_ms=40, tpot_ms=TPOT_MS, has_comments=True)
    plan = plan_of(OPEN)
    sent = send_cell(endpoint, plan, tmp_path)
    traces = judged(sent.traces)
    planned = [request for request in plan.requests if request.phase == "window"]
    assert [trace.index for trace in traces] == [request.index for request in planned]
    assert {trace.outcome for trace in traces} == {"ok"}
    for trace, request in zip(traces, planned, strict=True):
        assert request.offset_ns is not None
        assert trace.scheduled_ns == sent.start_ns + request.offset_ns
        assert trace.sent_ns >= trace.scheduled_ns
        assert (trace.prompt_tokens, trace.output_tokens) == (32, 4)
        assert (latency.ttft_send_ms(trace) or 0) >= 40
        assert (latency.e2e_ms(trace) or 0) >= 40 + 3 * TPOT_MS
    assert median([latency.tpot_ms(trace) for trace in traces]) >= TPOT_MS - CLOCK_MS
    assert median([trace.first_read_tokens for trace in traces]) == 1
    assert sent.loop_lag_ms
    assert any(not trace.is_judged for trace in sent.traces)
    assert not list(tmp_path.glob("*.jsonl"))


def test_bundled_first_read(serve: Serve, tmp_path: Path) -> None:
    """4 tokens in the first read, 7 after it: 20 ms each, where n - 1 would say 14."""
    endpoint = serve(ttft_ms=20, tpot_ms=TPOT_MS, first_read_tokens=4)
    traces = judged(send_cell(endpoint, plan_of(CLOSED, output_tokens=11), tmp_path).traces)
    assert median([trace.first_read_tokens for trace in traces]) == 4
    assert median([latency.tpot_ms(trace) for trace in traces]) >= TPOT_MS - CLOCK_MS


def test_several_tokens_per_read(serve: Serve, tmp_path: Path) -> None:
    """1 + 5 + 5 tokens: two gaps of 100 ms, ten tokens after the first read."""
    endpoint = serve(tpot_ms=TPOT_MS, tokens_per_read=5)
    traces = judged(send_cell(endpoint, plan_of(CLOSED, output_tokens=11), tmp_path).traces)
    assert median([latency.tpot_ms(trace) for trace in traces]) >= TPOT_MS - CLOCK_MS
    assert median([latency.max_gap_ms(trace) for trace in traces]) >= 5 * TPOT_MS - CLOCK_MS


def test_role_chunk_comes_before_the_first_token(serve: Serve, tmp_path: Path) -> None:
    endpoint = serve(ttft_ms=60, has_role_chunk=True)
    for trace in judged(send_cell(endpoint, plan_of(OPEN), tmp_path).traces):
        assert trace.first_byte_ns is not None
        assert (latency.ttft_send_ms(trace) or 0) >= 60
        assert trace.first_token_ns is not None and trace.first_byte_ns < trace.first_token_ns


def test_usage_only_at_the_end_leaves_the_first_read_unknown(serve: Serve, tmp_path: Path) -> None:
    """Unless a client that came late found the whole answer, and so its count, in one read."""
    endpoint = serve(tpot_ms=TPOT_MS, usage="end")
    for trace in judged(send_cell(endpoint, plan_of(CLOSED), tmp_path).traces):
        in_first = 4 if trace.first_token_ns == trace.last_token_ns else None
        assert (trace.outcome, trace.output_tokens, trace.first_read_tokens) == ("ok", 4, in_first)


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        ("error", "stream_error", "scripted error"),
        ("no_finish", "truncated", ""),
        ("no_done", "truncated", ""),
        ("http_500", "http_error", "500: "),
        ("hang", "timeout", "not done"),
        ("reset", "stream_error", "closed in the middle"),
    ],
)
def test_every_other_request_fails(
    serve: Serve, tmp_path: Path, fault: str, outcome: str, words: str
) -> None:
    endpoint = serve(fault=fault, fault_every=2)
    traces = judged(send_cell(endpoint, plan_of(OPEN, timeout_s=0.5), tmp_path).traces)
    assert {trace.outcome for trace in traces} == {"ok", outcome}
    assert all(words in trace.error for trace in traces if trace.outcome == outcome)


@pytest.mark.parametrize(
    "script",
    [
        {"has_blank": False},
        {"line_end": "\r\n"},
        {"line_end": "\r"},
        {"is_accented": True, "cuts_reads": True},
        {"has_comments": True, "is_accented": True, "cuts_reads": True, "line_end": "\r\n"},
    ],
)
def test_framing_changes_nothing(serve: Serve, tmp_path: Path, script: dict[str, object]) -> None:
    endpoint = serve(ttft_ms=20, tpot_ms=TPOT_MS, **script)
    traces = judged(send_cell(endpoint, plan_of(CLOSED), tmp_path).traces)
    assert {(trace.outcome, trace.output_tokens) for trace in traces} == {("ok", 4)}


def test_a_stall_is_the_longest_gap(serve: Serve, tmp_path: Path) -> None:
    """Gaps of 20, 20 + 150 and 20 ms: TPOT is 210 / 3 = 70 ms, and the gap says why."""
    endpoint = serve(tpot_ms=TPOT_MS, stall_ms=150, stall_token=3)
    traces = judged(send_cell(endpoint, plan_of(CLOSED), tmp_path).traces)
    assert median([latency.max_gap_ms(trace) for trace in traces]) >= 170 - CLOCK_MS
    assert median([latency.tpot_ms(trace) for trace in traces]) >= 70 - CLOCK_MS


def test_a_queue_shows_in_the_scheduled_latency(serve: Serve, tmp_path: Path) -> None:
    """One slot, .1 s of service, 20 requests/s: each waits for all before it."""
    endpoint = serve(num_slots=1, ttft_ms=70, tpot_ms=10)
    traces = judged(send_cell(endpoint, plan_of(OPEN), tmp_path).traces)
    ends = [trace.end_ns for trace in traces]
    assert ends == sorted(ends)
    waits = [latency.ttft_ms(trace) or 0 for trace in traces]
    num = len(waits)
    assert waits[-1] >= num * 100 - (traces[-1].scheduled_ns - traces[0].scheduled_ns) / 1e6 - 100
    assert max(latency.send_lag_ms(trace) for trace in traces) < min(waits)


def leaving(when: str, *, streaming: bool = True) -> CellSpec:
    return CellSpec.model_validate(
        {"poisson": 20, "streaming": streaming, "leaves": {"when": when, "share": 0.5}}
    )


@pytest.mark.parametrize(
    ("cell", "script"),
    [
        (leaving("before-first-token"), {"ttft_ms": 100}),
        (leaving("mid-stream"), {"tpot_ms": 20}),
        (leaving("before-first-token", streaming=False), {"ttft_ms": 100}),
        (leaving("before-first-token"), {"ttft_ms": 100, "num_slots": 1}),  # while queued
    ],
)
def test_who_leaves_by_plan_is_gone_for_the_server_too(
    serve: Serve, tmp_path: Path, cell: CellSpec, script: dict[str, object]
) -> None:
    endpoint = serve(**script)
    plan = plan_of(cell, output_tokens=8)
    sent = send_cell(endpoint, plan, tmp_path)
    left = {request.index for request in plan.requests if request.leave}
    for trace in judged(sent.traces):
        assert trace.outcome == ("client_disconnected" if trace.index in left else "ok")
    assert scrape(endpoint).values["running"] == scrape(endpoint).values["waiting"] == 0
    assert (recovery_ms(endpoint, sent.over_ns, 0.0) or 0) > 0


def test_mid_stream_is_behind_the_planned_read(serve: Serve, tmp_path: Path) -> None:
    plan = plan_of(leaving("mid-stream"), output_tokens=8)
    for trace in judged(send_cell(serve(tpot_ms=20), plan, tmp_path).traces):
        leave = plan.requests[trace.index].leave
        if leave is not None:
            assert trace.output_tokens == leave.after_tokens


def test_without_streaming_only_the_end_is_known(serve: Serve, tmp_path: Path) -> None:
    """4 tokens: 40 + 3 x 20 = 100 ms to the end, and no first token."""
    plan = plan_of(CellSpec(closed=2, streaming=False))
    traces = judged(send_cell(serve(ttft_ms=40, tpot_ms=TPOT_MS), plan, tmp_path).traces)
    for trace in traces:
        assert (trace.outcome, trace.output_tokens, trace.prompt_tokens) == ("ok", 4, 32)
        assert latency.ttft_ms(trace) is latency.tpot_ms(trace) is None
        assert (latency.e2e_ms(trace) or 0) >= 100


def test_a_stalled_client_shows_in_its_heartbeat(serve: Serve, tmp_path: Path) -> None:
    cell = OPEN.model_copy(update={"client_stall_ms": 20.0})
    lags = sorted(send_cell(serve(), plan_of(cell), tmp_path).loop_lag_ms)
    assert lags[-1] >= 10  # one beat at least was due in the first half of a stall of 20 ms


def test_a_callback_that_fails_ends_the_cell_at_once() -> None:
    """A request that cannot be written: the event loop alone would log it and wait for ever."""
    plan = plan_of(OPEN)
    broken = plan.requests[0].model_copy(update={"offset_ns": 0, "output_tokens": object()})

    async def run() -> None:
        endpoint = Endpoint(
            base_url="http://127.0.0.1:9", model="m", engine="scripted", engine_version="1"
        )
        later = plan.requests[0].model_copy(update={"offset_ns": 0})
        job = Job.model_construct(endpoint=endpoint, plan=plan)
        await CellRun(job, [later, broken], Pool(endpoint.base_url)).run(time.monotonic_ns())

    with pytest.raises(MeasurementError, match="the sender failed: "):
        asyncio.run(asyncio.wait_for(run(), 5))


def test_workers_share_one_plan(serve: Serve, tmp_path: Path) -> None:
    plan = plan_of(OPEN)
    sent = send_cell(serve(), plan, tmp_path, num_workers=3)
    planned = [request.index for request in plan.requests if request.phase == "window"]
    assert [trace.index for trace in judged(sent.traces)] == planned
    starts = {trace.scheduled_ns - (plan.requests[trace.index].offset_ns or 0)
              for trace in judged(sent.traces)}  # fmt: skip
    assert starts == {sent.start_ns}


def test_workers_share_one_concurrency(serve: Serve, tmp_path: Path) -> None:
    plan = plan_of(CellSpec(closed=5), output_tokens=8)
    sent = send_cell(serve(tpot_ms=10), plan, tmp_path, num_workers=2)
    prompts = [trace.index for trace in sent.traces]
    assert len(prompts) == len(set(prompts))
    middle = (sent.window_start_ns + sent.window_end_ns) // 2
    assert sum(trace.sent_ns <= middle < trace.end_ns for trace in sent.traces) <= 5


def test_closed_loop_holds_its_concurrency(serve: Serve, tmp_path: Path) -> None:
    sent = send_cell(serve(tpot_ms=10), plan_of(CLOSED), tmp_path)
    for trace in sent.traces:
        others = [x for x in sent.traces if x.sent_ns <= trace.sent_ns < x.end_ns]
        assert 1 <= len(others) <= 2
        assert trace.scheduled_ns == trace.sent_ns
        assert trace.is_judged == (sent.window_start_ns <= trace.sent_ns < sent.window_end_ns)


@pytest.mark.parametrize("cell", [OPEN, CLOSED])
def test_an_engine_that_dies_gives_traces(serve: Serve, tmp_path: Path, cell: CellSpec) -> None:
    endpoint = serve(tpot_ms=20, die_after=5)
    traces = send_cell(endpoint, plan_of(cell), tmp_path).traces
    outcomes = {trace.outcome for trace in traces}
    assert "stream_error" in outcomes
    assert outcomes <= {"ok", "stream_error", "client_cancelled"}
    assert all(trace.error for trace in traces if trace.outcome == "stream_error")


def test_one_sender_sends_one_plan_after_another(serve: Serve, tmp_path: Path) -> None:
    first, second = serve(), serve()
    with Sender(tmp_path) as sender:
        pids = sender.pids
        cells = [sender.send(endpoint, plan_of(OPEN)) for endpoint in (first, second)]
        assert sender.pids == pids
    prompts = [[x.index for x in judged(cell.traces)] for cell in cells]
    assert prompts[0] == prompts[1] != []


def test_a_sender_that_is_killed_is_an_error(serve: Serve, tmp_path: Path) -> None:
    with Sender(tmp_path) as sender:
        killer = threading.Timer(0.5, os.kill, (sender.pids[0], signal.SIGKILL))
        killer.start()
        with pytest.raises(MeasurementError, match="died with status -9"):
            sender.send(serve(fault="hang"), plan_of(OPEN))
        killer.join()
        with pytest.raises(MeasurementError, match="died with status -9"):
            sender.send(serve(), plan_of(OPEN))


def test_a_sender_that_is_late_is_killed(serve: Serve, tmp_path: Path) -> None:
    plan = plan_of(OPEN, timeout_s=0.5)
    with (
        Sender(tmp_path, margin_s=-1.0) as sender,
        pytest.raises(MeasurementError, match="gave no answer within 0 s"),
    ):
        sender.send(serve(fault="hang"), plan)


def test_an_endpoint_that_is_not_there(serve: Serve, tmp_path: Path) -> None:
    nowhere = serve().model_copy(update={"base_url": "http://127.0.0.1:9"})
    with pytest.raises(MeasurementError, match=r"does not answer /health \(ConnectionRefusedError"):
        send_cell(nowhere, plan_of(OPEN), tmp_path)
