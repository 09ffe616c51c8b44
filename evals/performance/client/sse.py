r"""Incremental parser of server-sent events on bytes.

Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream". Lines end in CRLF, LF or CR, and
a character split over two reads stays whole because nothing is decoded. A last event that no blank
line ends is dropped, as the standard asks.

Nearly every read of a stream is one event of one `data: ` line, and nearly every other several such
events. They are cut out at once; everything else goes line by line, with the same result.

Example: the reads `b"data: a\r"`, `b"\ndata:b\n: ping\n"`, `b"\n"` give one event, `b"a\nb"`.
"""

import re
from typing import NamedTuple

LINE_END = re.compile(rb"\r\n|\r|\n")
MESSAGE = b"message"  # an event that names itself nothing else
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BEGIN, END = b"data: ", b"\n\n"
BETWEEN = END + BEGIN


class SseEvent(NamedTuple):
    """One dispatched event; bytes that claim to be UTF-8."""

    data: bytes
    event: bytes = MESSAGE


class SseParser:
    """Turns reads into events; holds what is not complete yet."""

    def __init__(self) -> None:
        self._rest = b""
        self._ended_in_cr = False
        self._is_first_line = True
        self._is_between_events = True
        self._data: list[bytes] = []
        self._event = b""

    def only(self, read: bytes) -> bytes | None:
        """Give the data of a read that is one whole event of one `data: ` line; else, feed it."""
        if (
            self._is_between_events
            and read.endswith(END)
            and read.startswith(BEGIN)
            and read.find(b"\n") == len(read) - len(END)
            and read.find(b"\r") < 0
        ):
            self._is_first_line = False
            return read[len(BEGIN) : -len(END)]
        return None

    def feed(self, read: bytes) -> list[SseEvent]:
        """Take one read; return the events it completes."""
        if self._is_between_events and read.startswith(BEGIN) and read.endswith(END):
            pieces = read[len(BEGIN) : -len(END)].split(BETWEEN)
            if b"\r" not in read and read.count(b"\n") == 2 * len(pieces):
                self._is_first_line = False
                return list(map(SseEvent, pieces))
        events = self._feed_lines(read)
        self._is_between_events = not (self._rest or self._data or self._event or self._ended_in_cr)
        return events

    def _feed_lines(self, read: bytes) -> list[SseEvent]:
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
        text = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(text)
        elif name == b"event":
            self._event = text
        return None

    def _dispatch(self) -> SseEvent | None:
        data, event = self._data, self._event
        self._data, self._event = [], b""
        return SseEvent(b"\n".join(data), event or MESSAGE) if data else None
