r"""Incremental parser of server-sent events on bytes.

Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream". Lines end in CRLF, LF or CR; a
line is cut before it is decoded, so a character split over two reads stays whole. A last event that
no blank line ends is dropped, as the standard asks.

Example: the reads `b"data: a\r"`, `b"\ndata:b\n: ping\n"`, `b"\n"` give one event, `"a\nb"`.
"""

import re
from dataclasses import dataclass

LINE_END = re.compile(rb"\r\n|\r|\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One dispatched event."""

    data: str
    event: str = "message"


class SseParser:
    """Turns reads into events; holds what is not complete yet."""

    def __init__(self) -> None:
        self._rest = b""
        self._ended_in_cr = False
        self._is_first_line = True
        self._data: list[str] = []
        self._event = ""

    def feed(self, read: bytes) -> list[SseEvent]:
        """Take one read; return the events it completes."""
        if not read:
            return []
        if self._ended_in_cr:
            read = read.removeprefix(b"\n")  # the second half of a CRLF split over two reads
        self._ended_in_cr = read.endswith(b"\r")
        *lines, self._rest = LINE_END.split(self._rest + read)
        events = [self._take_line(line) for line in lines]
        return [event for event in events if event is not None]

    def _take_line(self, line: bytes) -> SseEvent | None:
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")  # a comment has an empty name
        text = value.removeprefix(b" ").decode("utf-8", errors="replace")
        if name == b"data":
            self._data.append(text)
        elif name == b"event":
            self._event = text
        return None

    def _dispatch(self) -> SseEvent | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        return SseEvent("\n".join(data), event or "message") if data else None
