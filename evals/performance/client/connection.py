"""HTTP/1.1 connections whose every read is stamped the moment it arrives (adapter: httptools).

A busy client would stamp late, so reading and parsing are two phases: when many sockets are ready
at once, each is read and stamped first, and only then is any of it parsed. Peers that parse in the
reader see the queue of their own work as latency of the server: at 256 streams of 5 ms a true TTFT
of 20 ms becomes 134 to 188 (research/peers.md).
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol, cast

import httptools

OPEN_ENDED = "the connection was closed in the middle of the answer"
BREAKS = "the answer breaks HTTP"
LAST_CHUNK = b"0\r\n\r\n"
MOMENT_S = 0.002
SLICE = 64  # reads; about .3 ms


class Listener(Protocol):
    """Who asked on a connection. After `on_end` or `on_lost` it is not called again."""

    def on_head(self, status: int, read_ns: int) -> None:
        """Status line and headers are complete."""

    def on_body(self, read_ns: int, part: bytes) -> None:
        """Bytes of the body came with the read at `read_ns`."""

    def on_end(self) -> None:
        """The answer is complete."""

    def on_lost(self, words: str) -> None:
        """The connection ended before the answer did."""


class Inbox:
    """Keeps what was read, in order, for a moment in which reading has nothing better to do.

    The end of an answer is handed out as soon as every socket that is ready has been read; the
    middle of one has time. Either goes in slices, so that no read waits longer for its stamp than
    one slice takes.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[tuple[Connection, int, bytes | None]] = deque()
        self._is_soon = False

    def put(self, connection: "Connection", read_ns: int, read: bytes | None) -> None:
        """Keep one read; None is the end of the connection."""
        if not self._waiting:
            self._loop.call_later(MOMENT_S, self._hand_out)
        self._waiting.append((connection, read_ns, read))
        if not self._is_soon and (read is None or read.endswith(LAST_CHUNK)):
            self._is_soon = True
            self._loop.call_soon(self._hand_out)

    def _hand_out(self) -> None:
        self._is_soon = False
        for _ in range(min(SLICE, len(self._waiting))):
            connection, read_ns, read = self._waiting.popleft()
            connection.take(read_ns, read)
        if self._waiting and not self._is_soon:
            self._is_soon = True
            self._loop.call_soon(self._hand_out)


class Connection(asyncio.Protocol):
    """One socket; one question at a time."""

    def __init__(self, inbox: Inbox, give_back: Callable[["Connection"], None]) -> None:
        self._inbox = inbox
        self._give_back = give_back
        self._parser = httptools.HttpResponseParser(self)
        self._transport: asyncio.Transport | None = None
        self._listener: Listener | None = None
        self._read_ns = 0
        self._has_length = False
        self._has_head = False
        self.idle_since_ns = 0

    @property
    def is_open(self) -> bool:
        """Whether it can be asked."""
        return self._transport is not None and not self._transport.is_closing()

    def ask(self, request: bytes, listener: Listener) -> None:
        """Write one request; what comes back goes to the listener."""
        assert self._transport is not None and self._listener is None, "one question at a time"
        self._listener = listener
        self._has_length = self._has_head = False
        self._transport.write(request)

    def abort(self) -> None:
        """Close at once, as a client that goes away; the listener hears nothing more."""
        self._listener = None
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (called by the loop)."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass

    def data_received(self, data: bytes) -> None:
        """Stamp, and leave the rest for later (called by the loop)."""
        self._inbox.put(self, time.monotonic_ns(), data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end behind what was read before it (called by the loop)."""
        self._inbox.put(self, time.monotonic_ns(), None)

    def take(self, read_ns: int, read: bytes | None) -> None:
        """Parse one read (called by the inbox)."""
        if self._listener is None:
            return  # nobody asked: bytes after an answer, or the end of an idle connection
        if read is None:
            self._end_at_close(self._listener)
            return
        self._read_ns = read_ns
        try:
            self._parser.feed_data(read)
        except httptools.HttpParserError as error:
            listener = self._listener
            self.abort()
            if listener is not None:
                listener.on_lost(f"{BREAKS}: {error}")

    def _end_at_close(self, listener: Listener) -> None:
        """An answer without a length ends with the connection; any other is cut."""
        self._listener = None
        if self._has_head and not self._has_length:
            listener.on_end()
        else:
            listener.on_lost(OPEN_ENDED)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Look for a length (called by the parser)."""
        if name.lower() in (b"content-length", b"transfer-encoding"):
            self._has_length = True

    def on_headers_complete(self) -> None:
        """Pass on (called by the parser)."""
        self._has_head = True
        if self._listener is not None:
            self._listener.on_head(self._parser.get_status_code(), self._read_ns)

    def on_body(self, body: bytes) -> None:
        """Pass on (called by the parser)."""
        if self._listener is not None:
            self._listener.on_body(self._read_ns, body)

    def on_message_complete(self) -> None:
        """Be free for the next question, or close where the server wants it (by the parser)."""
        listener, self._listener = self._listener, None
        if self._parser.should_keep_alive():
            self.idle_since_ns = self._read_ns
            self._give_back(self)
        else:
            self.abort()
        if listener is not None:
            listener.on_end()
