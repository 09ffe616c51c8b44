"""A timer that is a file: exact waits on the monotonic clock for whoever waits on files.

Event loops and `poll` count in milliseconds. Linux' timerfd (timerfd_create(2)) is exact to the
scheduler's latency, and wakes them like any file that has become readable. Linux only; Python has
it from 3.13 on (`os.timerfd_create`), and this goes when 3.13 is the least we support.
"""

import contextlib
import ctypes
import os
import sys

NS_PER_S = 1_000_000_000
CLOCK_MONOTONIC, TFD_TIMER_ABSTIME = 1, 1


class _Times(ctypes.Structure):
    """struct itimerspec: interval, then the first expiry."""

    _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "at_s", "at_ns")]


class TimerFile:
    """Becomes readable at the stamp it was last set to."""

    def __init__(self) -> None:
        """Make the timer.

        Raises:
            OSError: not on Linux, or no file is free.
        """
        if sys.platform != "linux":
            raise OSError("timerfd is Linux only")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._file = int(self._libc.timerfd_create(CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC))
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create failed")

    def fileno(self) -> int:
        """Return the file to wait on."""
        return self._file

    def set(self, at_ns: int) -> None:
        """Ring at a stamp of the monotonic clock; at once where that has passed."""
        seconds, rest_ns = divmod(max(at_ns, 1), NS_PER_S)  # zero would disarm it
        times = _Times(0, 0, seconds, rest_ns)
        self._libc.timerfd_settime(self._file, TFD_TIMER_ABSTIME, ctypes.byref(times), None)

    def clear(self) -> None:
        """Take note that it rang; it is not readable until it rings again."""
        with contextlib.suppress(BlockingIOError):  # it was set again since it rang
            os.read(self._file, 8)

    def close(self) -> None:
        """Give the file back."""
        os.close(self._file)
