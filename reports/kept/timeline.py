"""Where the time went: one line per finished stage, in a file that survives a kill."""

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reports.kept.entries import Stage


class Timeline:
    """Append-only record of stages and seconds of one run."""

    def __init__(self, path: Path) -> None:
        """Continue the file at `path`, or begin it."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside; also when it fails."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.add(name, time.monotonic() - started)

    def add(self, name: str, seconds: float) -> None:
        """Add seconds to a stage."""
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"name": name, "seconds": seconds}) + "\n")

    def stages(self) -> tuple[Stage, ...]:
        """Sum the seconds per stage, in the order of first appearance."""
        total: dict[str, float] = defaultdict(float)
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):  # a line cut by a kill or a full disk: seconds are lost
                    entry = json.loads(line)
                    total[entry["name"]] += entry["seconds"]
        return tuple(Stage(name=name, seconds=seconds) for name, seconds in total.items())
