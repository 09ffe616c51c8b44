"""Own one engine process: start it supervised, see whether it lives, stop its whole session."""

import os
import re
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from variants.engines.supervisor import session_members, stop_session
from variants.errors import EngineError
from variants.running.isolation import ROOT

STOP_S = 30.0
# A model's files and an engine's plug-ins are other people's code: they see no token of ours.
PASSED = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "TEMP", "LANG", "LANGUAGE"),
        *("LD_LIBRARY_PATH", "LD_PRELOAD", "CC", "CXX", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    )
)
PASSED_PREFIXES = (
    *("LC_", "XDG_", "CUDA_", "NVIDIA_", "NCCL_", "GLOO_", "UCX_", "ROCR_", "HIP_"),
    *("VLLM_", "TORCH", "PYTORCH_", "TRITON_", "KMP_", "MKL_", "MALLOC_"),
)
SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_KEY|PRIVATE", re.IGNORECASE)


def free_port() -> int:
    """Ask the system for a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def require_free(port: int) -> int:
    """Return the port if nothing listens on it.

    Raises:
        EngineError: the port is taken.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # TIME_WAIT is not taken
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise EngineError(
                f"port {port} is taken ({error.strerror}); free it or leave the port unset"
            ) from error
    return port


@dataclass(slots=True)
class EngineProcess:
    """A supervised engine; `log` holds everything it said."""

    supervisor: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, command: list[str], variables: dict[str, str], log: Path) -> "EngineProcess":
        """Start a command under the supervisor with exactly these extra variables.

        Raises:
            EngineError: the program does not exist.
        """
        if not Path(command[0]).exists():
            raise EngineError(f"engine program {command[0]} does not exist; reinstall the engine")
        log.parent.mkdir(parents=True, exist_ok=True)
        supervised = [sys.executable, "-m", "variants.engines.supervisor", str(log), "--", *command]
        process = subprocess.Popen(
            supervised, stdin=subprocess.PIPE, cwd=ROOT, env=_clean_environment() | variables,
            start_new_session=True,
        )  # fmt: skip
        return cls(process, log)

    @property
    def is_alive(self) -> bool:
        """Whether the engine still runs."""
        return self.supervisor.poll() is None

    def has_died(self, within_s: float = 15.0) -> bool:
        """Whether the engine is dead, or dies while its supervisor clears up after it."""
        try:
            self.supervisor.wait(timeout=within_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def members(self) -> list[psutil.Process]:
        """List the engine's living processes, without the supervisor."""
        try:
            children = psutil.Process(self.supervisor.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        return [child for child in children if child.is_running()]

    def peak_bytes(self) -> int | None:
        """Sum the peak resident memory of the engine's processes; None where it is not kept."""
        peaks = [_peak_bytes(process.pid) for process in self.members()]
        known = [peak for peak in peaks if peak is not None]
        return sum(known) if known else None

    def stop(self) -> None:
        """Stop the whole session and wait until nothing of it is left."""
        sessions = {_session_of(process) for process in self.members()} - {None}
        if self.supervisor.stdin and not self.supervisor.stdin.closed:
            self.supervisor.stdin.close()
        try:
            self.supervisor.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            self.supervisor.kill()
            self.supervisor.wait()
        for session in sessions:
            if session is not None and session_members(session):
                stop_session(session)


def _clean_environment() -> dict[str, str]:
    """Pass on what finds programs, devices and the language; no secret, and no Python of ours."""
    return {
        name: value
        for name, value in os.environ.items()
        if (name in PASSED or name.startswith(PASSED_PREFIXES)) and not SECRET.search(name)
    }


def _peak_bytes(pid: int) -> int | None:
    """Read VmHWM, which Linux keeps per process in kB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) * 1024 if lines else None


def _session_of(process: psutil.Process) -> int | None:
    try:
        return os.getsid(process.pid)
    except ProcessLookupError:
        return None
