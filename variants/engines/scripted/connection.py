"""One caller's socket (adapter: httptools)."""

import socket
import struct

import httptools

from variants.engines.scripted.wire import Call

READ_BYTES = 1 << 18
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 s: closing sends RST


class Connection:
    """Reads calls, writes bytes."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened
        self._parser = httptools.HttpRequestParser(self)
        self._target, self._body = b"", b""
        self._calls: list[Call] = []

    def feed(self, data: bytes) -> list[Call]:
        """Take what was read; return the calls it completes."""
        self._calls = []
        self._parser.feed_data(data)
        return self._calls

    def read(self) -> bytes:
        """Take what is there; no bytes: the caller is gone."""
        try:
            return self.socket.recv(READ_BYTES)
        except ConnectionError:
            return b""

    def send(self, data: bytes) -> None:
        """Write; a caller that does not read is waited for, one that is gone is not."""
        try:
            num_sent = self.socket.send(data)
            if num_sent < len(data):
                self.socket.setblocking(True)
                self.socket.sendall(data[num_sent:])
                self.socket.setblocking(False)
        except OSError:
            pass  # the next read says so

    def reset(self) -> None:
        """Let the close that follows send RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def on_url(self, url: bytes) -> None:
        """Begin a call (by the parser)."""
        self._target, self._body = url, b""

    def on_body(self, body: bytes) -> None:
        """Take a part of its body (by the parser)."""
        self._body += body

    def on_message_complete(self) -> None:
        """Keep it (by the parser)."""
        path = self._target.decode("latin-1").partition("?")[0]
        self._calls.append(Call(self._parser.get_method().decode(), path, self._body))
