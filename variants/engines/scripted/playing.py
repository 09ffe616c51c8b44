"""One answer while it is being written, and the truth about all of them."""

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from variants.engines.scripted.connection import Connection
from variants.engines.scripted.wire import Reply, Write


@dataclass(slots=True)
class Truth:
    """What really happened: stamps of one host's monotonic clock."""

    arrivals: "array[int]" = field(default_factory=lambda: array("q"))  # number, read_ns
    writes: "array[int]" = field(default_factory=lambda: array("q"))  # number, due, sent, tokens

    def render(self) -> str:
        """Give both as flat lists."""
        return json.dumps({"arrivals": self.arrivals.tolist(), "writes": self.writes.tolist()})


class Playing:
    """One answer that is being written."""

    def __init__(self, number: int, connection: Connection, reply: Reply) -> None:
        assert reply.timeline is not None
        self.number = number
        self.connection = connection
        self.watcher = reply.watcher
        self.rest: Iterator[Write] = iter(reply.timeline)
        self.next = Write(0, b"")
        self.began_ns = 0
        self.has_begun = False
        self.is_over = False

    def begin(self, now_ns: int) -> None:
        """Leave the queue."""
        self.began_ns, self.has_begun = now_ns, True
        if self.watcher is not None:
            self.watcher.start()

    def write(self) -> None:
        """Send what is next."""
        self.connection.send(self.next.data)
        if self.next.num_tokens and self.watcher is not None:
            self.watcher.add_tokens(self.next.num_tokens)

    def end(self) -> None:
        """Be over."""
        self.is_over = True
        if self.watcher is not None:
            self.watcher.end()
