"""An answer that comes whole: without streaming there is no first token, only an end."""

from evals.performance.client.answer import AnswerRecord
from evals.performance.client.chunk import ERROR_OBJECT, decode
from evals.results import Outcome


class WholeRecord(AnswerRecord):
    """Keeps the body until it is complete."""

    def __init__(self, *, keeps_words: bool = False) -> None:
        """Know nothing yet."""
        super().__init__(keeps_words=keeps_words)
        self._body = b""

    def feed(self, read_ns: int, part: bytes) -> None:
        """Take bytes of the body."""
        self._body += part

    def outcome(self) -> Outcome:
        """Read the body: ok needs a finish reason and no error object."""
        try:
            answer = decode(self._body)
        except ValueError as error:
            self._fail(str(error))
            return "stream_error"
        if answer.error or answer.object == ERROR_OBJECT:
            self._fail(self._body.decode("utf-8", errors="replace"))
            return "stream_error"
        self._note_choices(answer)
        if answer.usage is not None:
            self._note_counts(answer.usage)
        return "ok" if self._has_finish_reason else "truncated"
