"""Something looked at again and again in a thread, while something else goes on."""

import threading
from typing import Self

INTERVAL_S = 0.25


class Ticking:
    """Looks every 250 ms, from the first moment of a `with` to its last."""

    def __init__(self, name: str, interval_s: float = INTERVAL_S) -> None:
        """Name the thread, and say how often."""
        self._interval_s = interval_s
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def look(self) -> None:
        """Look once; an error ends the looking."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        self.look()
        while not self._is_over.wait(self._interval_s):
            self.look()
        self.look()
