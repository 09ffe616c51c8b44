"""How late this process' event loop is: the client's own share of any latency.

A beat is due every 10 ms on an absolute schedule. Each beat that was due while the loop was busy is
counted with its own lag, so that a long stall weighs as much as it lasted (Gil Tene's coordinated
omission).

Example: a stall of 25 ms that begins 5 ms before a beat is 20, 10 and 0 ms for three beats.
"""

import time

from evals.performance.client.alarm import Alarm

BEAT_NS = 10_000_000
STALL_EVERY_NS = 100_000_000


class Heartbeat:
    """Notes the lag of every beat until it is stopped."""

    def __init__(self) -> None:
        """Begin beating. Needs a running loop."""
        self._alarm = Alarm()
        self._due_ns = time.monotonic_ns() + BEAT_NS
        self._beats: list[tuple[int, float]] = []
        self._alarm.set(self._due_ns, self._beat)

    def stop(self) -> None:
        """Beat no more."""
        self._alarm.close()

    def lags_ms(self, start_ns: int, end_ns: int) -> tuple[float, ...]:
        """Give the lags of the beats that were due between two stamps."""
        return tuple(lag for due_ns, lag in self._beats if start_ns <= due_ns < end_ns)

    def _beat(self) -> None:
        now_ns = time.monotonic_ns()
        while self._due_ns <= now_ns:
            self._beats.append((self._due_ns, (now_ns - self._due_ns) / 1e6))
            self._due_ns += BEAT_NS
        self._alarm.set(self._due_ns, self._beat)


class Stall:
    """Blocks the loop ten times a second: a slow client, made to be found out."""

    def __init__(self, length_ns: int) -> None:
        """Begin, unless the length is zero. Needs a running loop."""
        self._length_ns = length_ns
        self._alarm = Alarm()
        if length_ns:
            self._alarm.set(time.monotonic_ns() + STALL_EVERY_NS, self._block)

    def stop(self) -> None:
        """Block no more."""
        self._alarm.close()

    def _block(self) -> None:
        time.sleep(self._length_ns / 1e9)
        self._alarm.set(time.monotonic_ns() + STALL_EVERY_NS, self._block)
