"""CPU time and resident memory of an engine's processes."""

import contextlib
import time
from collections.abc import Callable, Iterable

import psutil

from evals.performance.telemetry import Reading

Members = Callable[[], Iterable[psutil.Process]]


class ProcessReader:
    """Sums over whatever processes the engine has now."""

    def __init__(self, members: Members) -> None:
        """Say who they are; asked anew at each reading."""
        self._members = members

    def read(self) -> Reading:
        """Read once; a process that ends meanwhile is left out."""
        cpu_s, rss_bytes = 0.0, 0.0
        for process in self._members():
            with contextlib.suppress(psutil.Error), process.oneshot():
                used = process.cpu_times()
                cpu_s += used.user + used.system
                rss_bytes += process.memory_info().rss
        return Reading(time.monotonic_ns(), {"cpu_s": cpu_s}, {"rss_bytes": rss_bytes})
