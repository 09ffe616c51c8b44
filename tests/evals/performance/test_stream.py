import json

import pytest

from evals.performance.client.stream import StreamRecord
from evals.performance.latency import tpot_ms
from tests.evals.performance.traces import MS, trace

DONE = b"data: [DONE]\n\n"


def event(
    text: str | None = None, *, usage: int | None = None, finish: str | None = None, **delta: object
) -> bytes:
    chunk: dict[str, object] = {"choices": []}
    if text is not None:
        chunk["choices"] = [{"text": text, "finish_reason": finish}]
    if delta:
        chunk["choices"] = [{"delta": delta, "finish_reason": finish}]
    if usage is not None:
        chunk["usage"] = {"completion_tokens": usage, "prompt_tokens": 5}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def record(*reads: tuple[int, bytes]) -> StreamRecord:
    grown = StreamRecord()
    for at_ms, read in reads:
        grown.feed(at_ms * MS, read)
    return grown


def test_tokens_bundled_in_the_first_read_are_not_divided_by() -> None:
    """research/profiling.md section 3: 4 tokens at 1.0 s, then 7 at 50 ms: 50 ms, not 35."""
    bundle = b"".join(event(" t", usage=i) for i in (1, 2, 3, 4))
    later = [(1000 + 50 * i, event(" t", usage=4 + i)) for i in range(1, 8)]
    grown = record((1000, bundle), *later, (1360, event(usage=11)))
    assert (grown.first_token_ns, grown.last_token_ns) == (1000 * MS, 1350 * MS)
    assert (grown.first_read_tokens, grown.output_tokens) == (4, 11)
    assert grown.max_gap_ns == 50 * MS
    assert tpot_ms(trace(first=1000, last=1350, tokens=11, in_first=4)) == 50
    assert tpot_ms(trace(first=1000, last=1350, tokens=11, in_first=None)) == 35


def test_parts_of_one_read_share_its_time() -> None:
    grown = record(
        (10, event(" a", usage=1)), (10, event(" b", usage=2)), (30, event(" c", usage=3))
    )
    assert (grown.first_read_tokens, grown.max_gap_ns) == (2, 20 * MS)


def test_role_chunk_is_no_token() -> None:
    grown = record((10, event(role="assistant", content="")), (50, event(content="a")))
    assert grown.first_token_ns == 50 * MS


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning": "a"},
        {"reasoning_content": "a"},
        {"tool_calls": [{"function": {"name": "f"}}]},
        {"tool_calls": [{"function": {"arguments": "{"}}]},
    ],
)
def test_reasoning_and_tool_calls_are_tokens(delta: dict[str, object]) -> None:
    assert record((10, event(**delta))).first_token_ns == 10 * MS


def test_a_rise_of_the_usage_without_text_is_a_token() -> None:
    """Half a character has no text yet; SGLang PR 36272: usage 1 -> 17 without a chunk."""
    grown = record((10, event("", usage=1)), (20, event(usage=17)), (30, event(usage=17)))
    assert (grown.first_token_ns, grown.last_token_ns) == (10 * MS, 20 * MS)


def test_usage_at_the_end_only_moves_no_stamp_and_leaves_the_first_read_unknown() -> None:
    grown = record((10, event(" a")), (20, event(" b")), (90, event(usage=2)))
    assert (grown.last_token_ns, grown.output_tokens) == (20 * MS, 2)
    assert grown.first_read_tokens is None


def test_absent_counts_are_none() -> None:
    grown = record((10, event(" a")))
    assert (grown.output_tokens, grown.prompt_tokens, grown.cached_tokens) == (None, None, None)


@pytest.mark.parametrize(
    ("reads", "outcome"),
    [
        ([event("a"), event("", finish="stop"), DONE], "ok"),
        ([event("a", finish="stop")], "truncated"),
        ([event("a"), DONE], "truncated"),
        (
            [event("a", finish="stop"), b'data: {"error": {"message": "x"}}\n\n', DONE],
            "stream_error",
        ),
        ([event("a", finish="stop"), b"event: error\ndata: {}\n\n", DONE], "stream_error"),
        ([b"data: {half\n\n", DONE], "stream_error"),
        ([b": ping\n\n", event("a", finish="length"), DONE], "ok"),
    ],
)
def test_outcome(reads: list[bytes], outcome: str) -> None:
    assert record(*((i, read) for i, read in enumerate(reads))).outcome() == outcome
