from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.performance.client.sse import SseEvent, SseParser


def parse(*reads: bytes) -> list[SseEvent]:
    parser = SseParser()
    return [event for read in reads for event in parser.feed(read)]


def data(*reads: bytes) -> list[str]:
    return [event.data.decode() for event in parse(*reads)]


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        ([b"data: a\n\n"], ["a"]),
        ([b"data:a\n\n"], ["a"]),
        ([b"data:  a\n\n"], [" a"]),
        ([b"data: a\r\n\r\ndata: b\r\rdata: c\n\n"], ["a", "b", "c"]),
        ([b"data: a\r", b"\ndata:b\n: ping\n", b"\n"], ["a\nb"]),
        ([b"data: YHOO\ndata: +2\ndata: 10\n\n"], ["YHOO\n+2\n10"]),
        ([b": ping\n\n", b"id: 7\nretry: 10\n\n"], []),
        ([b"data\n\ndata\ndata\n\ndata:"], ["", "\n"]),  # example of the standard
        ([b"\xef\xbb\xbfdata: a\n\n"], ["a"]),
        ([b"data: \xe2\x82", b"\xac\n\n"], ["\u20ac"]),
        ([b"data: a: b\n\n"], ["a: b"]),
        ([b"data: never ended\n"], []),
    ],
)
def test_examples(reads: list[bytes], expected: list[str]) -> None:
    assert data(*reads) == expected


def test_event_name_is_kept_and_reset() -> None:
    assert parse(b"event: error\ndata: x\n\ndata: y\n\n") == [
        SseEvent(b"x", b"error"),
        SseEvent(b"y", b"message"),
    ]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=12)


@given(
    st.lists(st.lists(TEXT, min_size=1, max_size=3), max_size=5),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.lists(st.integers(0, 400), max_size=12),
)
def test_where_reads_are_cut_does_not_matter(
    events: list[list[str]], end: bytes, cuts: list[int]
) -> None:
    wire = b"".join(
        b":keep-alive" + end + b"".join(b"data: " + x.encode() + end for x in lines) + end
        for lines in events
    )
    places = sorted({min(cut, len(wire)) for cut in cuts} | {0, len(wire)})
    reads = [wire[a:b] for a, b in pairwise(places)]
    assert data(*reads) == ["\n".join(lines) for lines in events]


@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_bytes_in_two_reads_are_the_same_as_in_one(wire: bytes, cut: int) -> None:
    assert parse(wire[:cut], wire[cut:]) == parse(wire)
    assert not any(b"\r" in event.data for event in parse(wire))


PIECES = st.sampled_from(
    [
        b"data: ",
        b"data:",
        b"a",
        b"{}",
        b"\n",
        b"\r",
        b"\n\n",
        b"\n\ndata: ",
        b"event: x\n",
        b": p\n",
    ]
)


@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=6))
def test_what_is_cut_out_at_once_is_what_lines_say(first: list[bytes], then: list[bytes]) -> None:
    by_line = SseParser()
    reads = [b"".join(first), b"".join(then)]
    assert parse(*reads) == [event for read in reads for event in by_line._feed_lines(read)]


@given(st.lists(st.lists(PIECES, max_size=4), max_size=5))
def test_an_only_event_is_what_feeding_would_say(pieces: list[list[bytes]]) -> None:
    parser, reads = SseParser(), [b"".join(parts) for parts in pieces]
    said: list[SseEvent] = []
    for read in reads:
        only = parser.only(read)
        said += parser.feed(read) if only is None else [SseEvent(only)]
    assert said == parse(*reads)


def test_a_read_of_one_line_is_an_only_event() -> None:
    assert SseParser().only(b"data: {}\n\n") == b"{}"
    for read in (b"data: a\ndata: b\n\n", b"data: a\r\n\n", b": a\n\n", b"data: a\n", b"\n\n"):
        assert SseParser().only(read) is None
