"""Calls at exact times of the monotonic clock, inside an event loop.

A loop's own timers are a millisecond coarse: asyncio's rounds up, uvloop's to the nearest and so up
to half a millisecond early. Where there is no better one, the loop's timer wakes a little late.
"""

import asyncio
from collections.abc import Callable

from variants.running.timer_file import NS_PER_S, TimerFile

LATE_S = 0.0005  # half of what a loop's timer rounds to


class Alarm:
    """One call at a time; setting it again replaces what was set."""

    def __init__(self) -> None:
        """Make the timer. Needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._call: Callable[[], None] | None = None
        self._handle: asyncio.TimerHandle | None = None
        try:
            self._timer: TimerFile | None = TimerFile()
        except OSError:
            self._timer = None
        else:
            self._loop.add_reader(self._timer.fileno(), self._ring)

    def set(self, at_ns: int, call: Callable[[], None]) -> None:
        """Call at a stamp of the monotonic clock, or at once where that has passed."""
        self._call = call
        if self._timer is not None:
            self._timer.set(at_ns)
            return
        if self._handle is not None:
            self._handle.cancel()
        self._handle = self._loop.call_at(at_ns / NS_PER_S + LATE_S, self._ring)

    def close(self) -> None:
        """Call no more."""
        self._call = None
        if self._handle is not None:
            self._handle.cancel()
        if self._timer is not None:
            self._loop.remove_reader(self._timer.fileno())
            self._timer.close()
            self._timer = None

    def _ring(self) -> None:
        if self._timer is not None:
            self._timer.clear()
        call, self._call = self._call, None
        if call is not None:
            call()
