"""What an answer says about itself, however it comes: stamps, counts and how it ended."""

from evals.performance.client.chunk import Chunk, Usage
from evals.performance.client.words import Words
from evals.results import Outcome

ERROR_CHARACTERS = 300  # of a server's words kept in a trace


class AnswerRecord:
    """Grows with what is read; `outcome` is asked once the response has ended."""

    def __init__(self, *, keeps_words: bool = False) -> None:
        """Know nothing yet."""
        self._words = Words() if keeps_words else None
        self.first_byte_ns: int | None = None
        self.first_token_ns: int | None = None
        self.last_token_ns: int | None = None
        self.max_gap_ns: int | None = None
        self.num_token_reads = 0
        self.first_read_tokens: int | None = None
        self.prompt_tokens: int | None = None
        self.cached_tokens: int | None = None
        self.output_tokens: int | None = None
        self.error = ""
        self._has_finish_reason = False

    @property
    def num_tokens(self) -> int:
        """Tokens so far; where the server does not count as it goes, reads that bore some."""
        return self.num_token_reads if self.output_tokens is None else self.output_tokens

    def feed(self, read_ns: int, part: bytes) -> None:
        """Take bytes of the body that one network read at `read_ns` brought."""
        raise NotImplementedError

    def outcome(self) -> Outcome:
        """Judge a response that was 2xx and whose body has ended."""
        raise NotImplementedError

    def _fail(self, words: str) -> None:
        self.error = self.error or words[:ERROR_CHARACTERS]

    def _note_choices(self, chunk: Chunk) -> bool:
        """Note a finish reason; tell whether there is something to read."""
        has_token = False
        for choice in chunk.choices or ():
            if choice.finish_reason:
                self._has_finish_reason = True
            said = choice.delta or choice.message
            if choice.text or (said is not None and said.has_token()):
                has_token = True
            if self._words is not None and said is not None:
                self._words.add(said)
        return has_token

    def answer(self) -> str | None:
        """Return the words of a chat as JSON, its text and its calls; None where none are kept."""
        return None if self._words is None else self._words.render()

    def _note_counts(self, usage: Usage) -> None:
        if usage.prompt_tokens is not None:
            self.prompt_tokens = usage.prompt_tokens
        if usage.prompt_tokens_details is not None:
            self.cached_tokens = usage.prompt_tokens_details.cached_tokens
        if usage.completion_tokens is not None:
            self.output_tokens = usage.completion_tokens
