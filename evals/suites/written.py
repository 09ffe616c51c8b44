"""What suites are made of whose items are answered in writing (`item.py`: by choosing)."""

from collections.abc import Callable
from dataclasses import dataclass, field

from evals.suites.item import Request
from variants.fingerprint import fingerprint

Message = dict[str, str]  # role and content


@dataclass(frozen=True, slots=True)
class Answer:
    """What was written."""

    text: str
    is_cut: bool = False  # by the length limit; in a conversation: one of the answers was
    calls: tuple[tuple[str, str], ...] = ()  # name and arguments (JSON) of each tool call
    refusal: str = ""  # the engine's words, where it would not even begin
    earlier: tuple[str, ...] = ()  # what was written before, in a conversation


@dataclass(frozen=True, slots=True)
class Mark:
    """What an answer is worth."""

    is_correct: bool
    is_degenerate: bool  # no language at all
    error: str = ""  # the class of what is wrong; "" where nothing is


@dataclass(frozen=True, slots=True)
class Question:
    """One item: what is asked, how much may be written at once, and how it is marked.

    Where what is said next depends on the answers so far, `follow` says it: it gets the last answer
    with the earlier ones, and returns the whole conversation to be answered, or None at its end.
    """

    id: str
    cluster: str
    words: str
    max_tokens: int
    mark: Callable[[Answer], Mark]
    schema: str = ""  # JSON Schema that the engine is asked to hold the answer to; "": none
    tools: str = ""  # JSON list of tools that may be called through the chat API; "": none
    follow: Callable[[Answer], list[Message] | None] | None = None  # the next; None: it is over
    before: tuple[tuple[str, str], ...] = ()  # role and words of each message before it
    level: float | None = None  # where it stands on its suite's axis
    in_flight: int | None = None  # questions asked at once, this one among them; None: as it suits

    @property
    def messages(self) -> list[Message]:
        """The conversation before the first answer."""
        said = (*self.before, ("user", self.words))
        return [{"role": role, "content": words} for role, words in said]


@dataclass(frozen=True, slots=True)
class WrittenSuite:
    """A suite's slots."""

    id: str
    origin: str
    licence: str
    chance: float
    cluster_key: str  # what items of one cluster share
    rule: str
    items: Callable[[Request], tuple[Question, ...]]
    exercises: str = "both"  # prefill and decode
    rewards_silence: bool = False  # a refusal or a non-call is right, so garbage would be too
    data: dict[str, str] = field(default_factory=dict)  # source address -> sha256 of its wheel
    axis: str = ""  # what the levels of its items count, as "tools offered"; "": they have none


def questions_sha256(questions: tuple[Question, ...]) -> str:
    """Digest an item set: equal in both arms or the comparison is void."""
    return fingerprint(
        [
            [q.id, q.cluster, q.messages, q.max_tokens, q.schema, q.tools, q.in_flight]
            for q in questions
        ]
    )
