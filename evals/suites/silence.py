"""A server from which nothing comes back, time after time, is given up."""

import threading

from variants.errors import MeasurementError


class Silence:
    """Counts the requests in a row that brought nothing back; shared by the threads of a suite."""

    def __init__(self, most: int) -> None:
        """Bear so many in a row: one full round of requests in flight."""
        self._most = most
        self._lock = threading.Lock()
        self._num = 0
        self._last = ""

    def end(self) -> None:
        """Start anew: something came back."""
        with self._lock:
            self._num = 0

    def add(self, error: Exception) -> None:
        """Count one more, and refuse to go on at the limit.

        Raises:
            MeasurementError: the last round of requests brought nothing back, not even an error.
        """
        with self._lock:
            self._num += 1
            self._last = f"{type(error).__name__}: {error}"
        self.check()

    def check(self) -> None:
        """Refuse to go on at the limit.

        Raises:
            MeasurementError: it is reached.
        """
        with self._lock:
            if self._num >= self._most:
                raise MeasurementError(
                    f"the server answered none of {self._num} requests in a row "
                    f"(last: {self._last}); look into the engine's log"
                )
