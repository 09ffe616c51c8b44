"""The parent of the sender: starts it, hands it plans, and holds it to a deadline."""

import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from evals.performance.endpoint import Endpoint
from evals.performance.job import Job, Reply
from evals.performance.plan import NS_PER_S, Plan
from evals.results import Trace
from variants.errors import MeasurementError

ROOT = Path(__file__).resolve().parents[2]
MODULE = "evals.performance.sender"
MARGIN_S = 60.0  # for start-up, warming of the pool and writing, beyond the plan's own length
STOP_S = 5.0
STDERR_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class SentCell:
    """What came back from one cell."""

    traces: tuple[Trace, ...]
    start_ns: int
    start_wall_ns: int
    window_start_ns: int
    window_end_ns: int
    loop_lag_ms: tuple[float, ...]

    @property
    def window_s(self) -> float:
        """Length of the window."""
        return (self.window_end_ns - self.window_start_ns) / NS_PER_S


class Sender:
    """A child process that sends one plan after another; start it once per profile."""

    def __init__(self, directory: Path, margin_s: float = MARGIN_S) -> None:
        self._directory = directory.resolve()
        self._margin_s = margin_s
        self._num_sent = 0
        self._stderr: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._directory.mkdir(parents=True, exist_ok=True)
        self._stderr = self._stderr_path.open("wb")
        search_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": search_path},
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.close()
        if kind is not None:
            self._process.kill()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None and self._stderr is not None
        self._process.stdout.close()
        self._stderr.close()

    @property
    def pid(self) -> int:
        """Process id of the child."""
        assert self._process is not None, "use the sender in a `with` block"
        return self._process.pid

    def send(self, endpoint: Endpoint, plan: Plan) -> SentCell:
        """Send one plan and wait for its traces.

        Raises:
            MeasurementError: the child died, is late, or says that it cannot send.
        """
        name = f"{plan.cell}-{self._num_sent}"
        self._num_sent += 1
        traces_path = self._directory / f"{name}.traces.jsonl"
        job_path = self._directory / f"{name}.job.json"
        job = Job(endpoint=endpoint, plan=plan, traces=str(traces_path))
        job_path.write_text(job.model_dump_json())
        self._ask(job_path)
        deadline_ns = plan.ramp_ns + plan.window_ns + plan.timeout_ns + self._margin_s * NS_PER_S
        reply = Reply.model_validate_json(self._await_line(deadline_ns / NS_PER_S))
        if reply.error:
            raise MeasurementError(f"cell {plan.cell} was not sent: {reply.error}")
        window_start_ns = reply.start_ns + plan.ramp_ns
        sent = SentCell(
            traces=_read_lines(traces_path),
            start_ns=reply.start_ns,
            start_wall_ns=reply.start_wall_ns,
            window_start_ns=window_start_ns,
            window_end_ns=window_start_ns + plan.window_ns,
            loop_lag_ms=reply.loop_lag_ms,
        )
        job_path.unlink()
        traces_path.unlink()
        return sent

    @property
    def _stderr_path(self) -> Path:
        return self._directory / "sender.stderr"

    def _ask(self, job_path: Path) -> None:
        assert self._process is not None, "use the sender in a `with` block"
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{job_path}\n".encode())
        except BrokenPipeError:
            raise self._death() from None

    def _await_line(self, deadline_s: float) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        until, line = time.monotonic() + deadline_s, b""
        stdout = self._process.stdout.fileno()
        while not line.endswith(b"\n"):
            readable, _, _ = select.select([stdout], [], [], max(0.0, until - time.monotonic()))
            if not readable:
                self._process.kill()
                raise MeasurementError(
                    f"the sender gave no answer within {deadline_s:.0f} s and was killed; "
                    f"{self._stderr_tail()}"
                )
            piece = os.read(stdout, 1 << 16)
            if not piece:
                raise self._death()
            line += piece
        return line

    def _death(self) -> MeasurementError:
        assert self._process is not None
        code = self._process.wait(STOP_S)
        return MeasurementError(f"the sender died with status {code}; {self._stderr_tail()}")

    def _stderr_tail(self) -> str:
        words = self._stderr_path.read_text(errors="replace")[-STDERR_CHARACTERS:].strip()
        return f"its last words: {words}" if words else "it said nothing on standard error"


def send_cell(endpoint: Endpoint, plan: Plan, directory: Path) -> SentCell:
    """Send one plan with a sender of its own."""
    with Sender(directory) as sender:
        return sender.send(endpoint, plan)


def _read_lines(path: Path) -> tuple[Trace, ...]:
    return tuple(Trace.model_validate_json(line) for line in path.read_bytes().splitlines())
