"""What one streamed answer says about itself: stamps, counts and how it ended.

All events of one network read get that read's time (research/profiling.md P22). A read bears tokens
when it carries text, reasoning or a tool call, or when the usage count rises; a chunk that only
names the role bears none (vLLM issue #3759).

Example: reads at 1000 ms with 4 tokens and at 1050, 1100 ... 1350 ms with one each (n = 11) give
f = 1000, l = 1350, n1 = 4, so tpot = 350 / (11 - 4) = 50 ms; dividing by n - 1 would say 35.
"""

from evals.performance.client.answer import AnswerRecord
from evals.performance.client.chunk import ERROR_OBJECT, Usage, decode
from evals.performance.client.sse import MESSAGE, SseParser
from evals.results import Outcome

DONE = b"[DONE]"
ERROR_EVENT = b"error"


class StreamRecord(AnswerRecord):
    """Grows read by read."""

    def __init__(self, *, keeps_words: bool = False) -> None:
        """Know nothing yet."""
        super().__init__(keeps_words=keeps_words)
        self._has_done = False
        self._parser = SseParser()

    def feed(self, read_ns: int, part: bytes) -> None:
        """Take bytes that one network read at `read_ns` brought; several calls may share it."""
        data = self._parser.only(part)
        if data is not None:
            self._take_event(read_ns, data)
        else:
            for event in self._parser.feed(part):
                self._take_event(read_ns, *event)
        if read_ns == self.first_token_ns:
            self.first_read_tokens = self.output_tokens

    def outcome(self) -> Outcome:
        """Judge the stream: ok needs a finish reason, no error object, and its end mark."""
        if self.error:
            return "stream_error"
        return "ok" if self._has_finish_reason and self._has_done else "truncated"

    def _take_event(self, read_ns: int, data: bytes, name: bytes = MESSAGE) -> None:
        if data == DONE:
            self._has_done = True
            return
        try:
            chunk = decode(data)
        except ValueError as error:
            self._fail(str(error))
            return
        if chunk.error or chunk.object == ERROR_OBJECT or name == ERROR_EVENT:
            self._fail(data.decode("utf-8", errors="replace"))
            return
        has_token = self._note_choices(chunk)
        if chunk.usage is not None:
            has_token = self._take_usage(chunk.usage, bool(chunk.choices)) or has_token
        if has_token and read_ns != self.last_token_ns:
            self._stamp_token(read_ns)

    def _take_usage(self, usage: Usage, has_choices: bool) -> bool:
        """Keep the counts; tell whether a rise means that tokens came in this chunk.

        A usage that comes once, at the end and without choices, counts tokens that came before.
        """
        before, count = self.output_tokens, usage.completion_tokens
        self._note_counts(usage)
        if count is None:
            return False
        is_running_count = has_choices or before is not None or self.first_token_ns is None
        return is_running_count and count > (before or 0)

    def _stamp_token(self, read_ns: int) -> None:
        self.num_token_reads += 1
        if self.first_token_ns is None:
            self.first_token_ns = read_ns
        elif self.last_token_ns is not None:
            gap_ns = read_ns - self.last_token_ns
            if self.max_gap_ns is None or gap_ns > self.max_gap_ns:
                self.max_gap_ns = gap_ns
        self.last_token_ns = read_ns
