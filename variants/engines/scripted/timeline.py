"""Script and answer -> what is written when.

Example: ttft_ms=1000, tpot_ms=50, first_read_tokens=4 and 11 output tokens give a first read of 4
tokens after 1.0 s and 7 reads of one token 50 ms apart.
"""

from collections.abc import Iterator

from variants.engines.scripted.answers import Answer, Request, completion, error_object, event
from variants.engines.scripted.script import Fault, Script
from variants.engines.scripted.wire import Write, framed

DONE, COMMENT = "[DONE]", ": ping"
NS_PER_MS = 1e6
CUT_NS = 2_000_000  # between the two halves of a read that is cut: long enough to be two reads


def whole(script: Script, answer: Answer, request: Request) -> tuple[Write, ...]:
    """Write the whole answer once its last token would have come."""
    *_, (after_ns, _) = _reads(script, answer.num_tokens)
    body = framed(completion(answer, request)) + framed(b"")
    return (Write(after_ns, body, answer.num_tokens),)


class Timelines:
    """Timelines of one script's streams; the same answer is rendered once."""

    def __init__(self, script: Script) -> None:
        """Render nothing yet."""
        self._script = script
        self._rendered: dict[tuple[Answer, Fault, bool], tuple[Write, ...]] = {}

    def streamed(self, answer: Answer, fault: Fault, dies: bool) -> tuple[Write, ...]:
        """Write token by token."""
        key = (answer, fault, dies)
        if key not in self._rendered:
            self._rendered[key] = tuple(_writes(self._script, answer, fault, dies))
        return self._rendered[key]


def _writes(script: Script, answer: Answer, fault: Fault, dies: bool) -> Iterator[Write]:
    if script.has_role_chunk:
        yield Write(0, framed(_sse(script, event(answer, 0, None, None))))
    if fault == "hang":
        yield Write(1 << 62, b"")
        return
    num_sent, after_ns = 0, 0
    for after_ns, indices in _reads(script, answer.num_tokens):
        num_sent = indices[-1]
        yield from _read(script, answer, (after_ns, indices), fault)
        if dies:
            yield Write(after_ns, b"", then="die")
        if fault == "reset":
            yield Write(after_ns, b"", then="reset")
        if fault == "error":
            yield Write(after_ns, framed(_sse(script, error_object("scripted error"))))
            break
    yield Write(after_ns, _ending(script, answer, num_sent, fault))


def _reads(script: Script, num_tokens: int) -> Iterator[tuple[int, range]]:
    """Give the time of each read and the numbers of its tokens, from 1."""
    after_ms, first, count = script.ttft_ms, 1, script.first_read_tokens
    while first <= num_tokens:
        indices = range(first, min(first + count, num_tokens + 1))
        yield round(after_ms * NS_PER_MS), indices
        first, count = indices.stop, script.tokens_per_read
        after_ms += min(count, num_tokens + 1 - first) * script.tpot_ms
        if script.stall_token in range(first, first + count):
            after_ms += script.stall_ms
    if num_tokens < 1:
        yield round(script.ttft_ms * NS_PER_MS), range(1)


def _read(script: Script, answer: Answer, read: tuple[int, range], fault: Fault) -> Iterator[Write]:
    """Shape one read: an event per token, in one write or in two."""
    after_ns, indices = read
    has_usage = script.usage == "each"
    finish = None if fault == "no_finish" else answer.finish_reason
    events = (
        event(answer, index, finish if index == answer.num_tokens else None,
              index if has_usage else None)
        for index in indices if index
    )  # fmt: skip
    comment = f"{COMMENT}{script.line_end * 2}".encode() if script.has_comments else b""
    data = comment + b"".join(_sse(script, one) for one in events)
    if not script.cuts_reads:
        yield Write(after_ns, framed(data), len(indices))
        return
    cut = max(place for place, byte in enumerate(data) if byte >= 0xC0 or place == 0) + 1
    yield Write(after_ns, framed(data[:cut]))
    yield Write(after_ns + CUT_NS, framed(data[cut:]), len(indices))


def _ending(script: Script, answer: Answer, num_sent: int, fault: Fault) -> bytes:
    data = b"" if script.usage == "none" else framed(
        _sse(script, event(answer, None, None, num_sent))
    )  # fmt: skip
    if fault != "no_done":
        data += framed(_sse(script, DONE))
    return data + framed(b"")


def _sse(script: Script, text: str) -> bytes:
    return f"data:{' ' if script.has_blank else ''}{text}{script.line_end * 2}".encode()
