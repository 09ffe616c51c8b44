"""What goes over the scripted endpoint's connections: calls, and replies that take their time."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal, NamedTuple, Protocol, Self


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came."""

    method: str
    path: str
    body: bytes

    def json(self) -> dict[str, object]:
        """Read the body as an object."""
        content = json.loads(self.body or b"{}")
        assert isinstance(content, dict), "the body must be a JSON object"
        return content


class Write(NamedTuple):
    """Bytes, when they leave, and what happens then."""

    after_ns: int  # since the answer began
    data: bytes
    num_tokens: int = 0
    then: Literal["go on", "reset", "die"] = "go on"


class Watcher(Protocol):
    """Follows one answer."""

    def start(self) -> None:
        """It has left the queue."""

    def add_tokens(self, count: int) -> None:
        """Tokens were written."""

    def end(self) -> None:
        """It is over, however it ended."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole body that leaves at once, or a timeline that begins when a slot is free."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    timeline: tuple[Write, ...] | None = None
    watcher: Watcher | None = None

    @classmethod
    def of_json(cls, text: str, status: int = 200) -> Self:
        """Wrap JSON text."""
        return cls(status=status, body=text.encode())

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Wrap plain text."""
        return cls(body=text.encode(), content_type="text/plain; charset=utf-8")

    def head(self) -> bytes:
        """Write status and headers."""
        framing = f"Content-Length: {len(self.body)}"
        if self.timeline is not None:
            framing = "Transfer-Encoding: chunked"
        return (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
            f"Content-Type: {self.content_type}\r\n{framing}\r\n\r\n"
        ).encode()


def framed(data: bytes) -> bytes:
    """Wrap one chunk of a chunked body; no bytes are the end of it."""
    return b"%x\r\n%b\r\n" % (len(data), data)
