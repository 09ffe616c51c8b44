"""How far long work is, said now and then rather than item by item.

Example: `Progress(print, "tool-calling: {} of {} items")` prints after half a minute of calls of
`at(done, whole)` "tool-calling: 52 of 400 items after 30 s", and so on each half minute.
"""

import time
from collections.abc import Callable

EVERY_S = 30.0
Tell = Callable[[str], None]


def silent(text: str) -> None:
    """Tell nobody."""


class Progress:
    """Says how much is done, at most once in `every_s` seconds (30)."""

    def __init__(self, tell: Tell, words: str, every_s: float | None = None) -> None:
        """Begin counting; `words` has a place for what is done and one for the whole."""
        self._tell, self._words = tell, words
        self._every_s = EVERY_S if every_s is None else every_s
        self._began = self._told = time.monotonic()

    def at(self, done: int, whole: int) -> None:
        """Note how far the work is; the end is told by whoever has the result."""
        now = time.monotonic()
        if now - self._told >= self._every_s and done < whole:
            self._told = now
            self._tell(f"{self._words.format(done, whole)} after {now - self._began:.0f} s")
