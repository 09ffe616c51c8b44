"""The parent of the senders: starts them, hands them plans, and holds them to a deadline."""

import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from evals.performance.client.job import Job, Order, Ready, Reply, Start
from evals.performance.endpoint import Endpoint
from evals.results import Result, Trace
from evals.workload.plan import NS_PER_S, Plan
from variants.errors import MeasurementError

ROOT = Path(__file__).resolve().parents[3]
MODULE = "evals.performance.client.sender"
LEAD_NS = 50_000_000  # from the last sender that is ready to the start of the ramp
MARGIN_S = 60.0  # for start-up, warming of the pool and writing, beyond the plan's own length
STOP_S = 5.0
STDERR_CHARACTERS = 2000
Answer = TypeVar("Answer", bound=Result)


@dataclass(frozen=True, slots=True)
class SentCell:
    """What came back from one cell."""

    traces: tuple[Trace, ...]
    start_ns: int
    start_wall_ns: int
    window_start_ns: int
    window_end_ns: int
    loop_lag_ms: tuple[float, ...]
    over_ns: int
    cpu_s: float = 0.0
    peak_bytes: int = 0
    is_given_up: bool = False  # too many requests had missed the SLO

    @property
    def window_s(self) -> float:
        """Length of the window."""
        return (self.window_end_ns - self.window_start_ns) / NS_PER_S


class Sender:
    """Child processes that send one plan after another; start them once per profile."""

    def __init__(self, directory: Path, margin_s: float = MARGIN_S, num_workers: int = 1) -> None:
        """Say where they leave what they write, and how many share the requests."""
        self._directory = directory.resolve()
        self._margin_s = margin_s
        self._num_workers = num_workers
        self._num_sent = 0
        self._children: list[_Child] = []

    def __enter__(self) -> Self:
        self._directory.mkdir(parents=True, exist_ok=True)
        self._children = [
            _Child(self._directory / f"sender-{number}.stderr")
            for number in range(self._num_workers)
        ]
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for child in self._children:
            child.stop(at_once=kind is not None)

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the children."""
        return tuple(child.pid for child in self._children)

    def send(self, endpoint: Endpoint, plan: Plan) -> SentCell:
        """Send one plan and wait for its traces.

        Raises:
            MeasurementError: a child died, is late, or says that it cannot send.
        """
        assert self._children, "use the sender in a `with` block"
        job_path = self._write_job(Job(endpoint=endpoint, plan=plan))
        traces_paths = [
            job_path.with_suffix(f".{shard}.jsonl") for shard in range(len(self._children))
        ]
        for shard, (child, path) in enumerate(zip(self._children, traces_paths, strict=True)):
            child.tell(
                Order(
                    job=str(job_path),
                    traces=str(path),
                    shard=shard,
                    num_shards=len(self._children),
                )
            )
        start_ns, start_wall_ns = self._start(plan)
        replies = self._await_replies(plan)
        over_ns = max(reply.over_ns for reply in replies)
        is_given_up = any(reply.is_given_up for reply in replies)
        window_end_ns = start_ns + plan.ramp_ns + plan.window_ns
        sent = SentCell(
            traces=_read_traces(traces_paths),
            start_ns=start_ns,
            start_wall_ns=start_wall_ns,
            window_start_ns=start_ns + plan.ramp_ns,
            window_end_ns=min(window_end_ns, over_ns) if is_given_up else window_end_ns,
            over_ns=over_ns,
            loop_lag_ms=tuple(lag for reply in replies for lag in reply.loop_lag_ms),
            cpu_s=sum(reply.cpu_s for reply in replies),
            peak_bytes=sum(reply.peak_bytes for reply in replies),
            is_given_up=is_given_up,
        )
        for path in (job_path, *traces_paths):
            path.unlink()
        return sent

    def _write_job(self, job: Job) -> Path:
        path = self._directory / f"{job.plan.cell}-{self._num_sent}.job"
        self._num_sent += 1
        path.write_text(job.model_dump_json(exclude_defaults=True))
        return path

    def _start(self, plan: Plan) -> tuple[int, int]:
        """Wait until all are ready, and give the start to all; stamps: monotonic, wall clock."""
        until = time.monotonic() + self._margin_s
        for child in self._children:
            if error := child.hear(Ready, until).error:
                raise MeasurementError(f"cell {plan.cell} was not sent: {error}")
        now_ns, wall_ns = time.monotonic_ns(), time.time_ns()
        for child in self._children:
            child.tell(Start(at_ns=now_ns + LEAD_NS))
        return now_ns + LEAD_NS, wall_ns + LEAD_NS

    def _await_replies(self, plan: Plan) -> list[Reply]:
        length_s = (plan.ramp_ns + plan.window_ns + plan.timeout_ns) / NS_PER_S
        until = time.monotonic() + length_s + self._margin_s
        replies = [child.hear(Reply, until) for child in self._children]
        for reply in replies:
            if reply.error:
                raise MeasurementError(f"cell {plan.cell} was not sent: {reply.error}")
        return replies


class _Child:
    """One sender."""

    def __init__(self, stderr: Path) -> None:
        self._stderr_path = stderr
        self._stderr = stderr.open("wb")
        search_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": search_path},
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def tell(self, message: Result) -> None:
        """Write one line.

        Raises:
            MeasurementError: it died.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(message.model_dump_json().encode() + b"\n")
        except BrokenPipeError:
            raise self._death() from None

    def hear(self, kind: type[Answer], until: float) -> Answer:
        """Read one line, no later than `until` on the monotonic clock.

        Raises:
            MeasurementError: it died, or is late and was killed.
        """
        assert self._process.stdout is not None
        began, line = time.monotonic(), b""
        stdout = self._process.stdout.fileno()
        while not line.endswith(b"\n"):
            readable, _, _ = select.select([stdout], [], [], max(0.0, until - time.monotonic()))
            if not readable:
                self._process.kill()
                raise MeasurementError(
                    f"the sender gave no answer within {max(0.0, until - began):.0f} s and was "
                    f"killed; {self._last_words()}"
                )
            piece = os.read(stdout, 1 << 16)
            if not piece:
                raise self._death()
            line += piece
        return kind.model_validate_json(line)

    def stop(self, at_once: bool) -> None:
        """Let it end, or end it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        if at_once:
            self._process.kill()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._stderr.close()

    def _death(self) -> MeasurementError:
        code = self._process.wait(STOP_S)
        return MeasurementError(f"the sender died with status {code}; {self._last_words()}")

    def _last_words(self) -> str:
        words = self._stderr_path.read_text(errors="replace")[-STDERR_CHARACTERS:].strip()
        return f"its last words: {words}" if words else "it said nothing on standard error"


def send_cell(endpoint: Endpoint, plan: Plan, directory: Path, num_workers: int = 1) -> SentCell:
    """Send one plan with senders of its own."""
    with Sender(directory, num_workers=num_workers) as sender:
        return sender.send(endpoint, plan)


def _read_traces(paths: list[Path]) -> tuple[Trace, ...]:
    lines = (line for path in paths for line in path.read_bytes().splitlines())
    traces = (Trace.model_validate_json(line) for line in lines)
    return tuple(sorted(traces, key=lambda trace: trace.index))
