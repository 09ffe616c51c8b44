"""The texts both arms are given: prose for the screen, chats by role, long prose by position.

The screen's prose is what the gate's limits are about and stays apart from the rest. Labels of
chats: `prompt` for what the template puts before the answer, then those of the pieces of
`chats.py`; a token that begins in a piece belongs to it. In JSON, a token made of punctuation alone
is `json-punctuation`.

Of a long passage only some tokens are scored, as many in every bucket of positions, since every
scored token costs a row of the whole vocabulary (2,048 x 49,152 entries x 4 B = 403 MB).

Example: with 4 tokens a bucket, the bucket of 256 to 512 is scored at 256, 341, 426 and 511.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Literal, Protocol

from evals.suites.fidelity.by_position import FIRST_END
from evals.suites.fidelity.chats import Chat, Piece, chats
from evals.suites.fidelity.token_rows import JSON_PUNCTUATION, PROMPT, PROSE
from evals.suites.item import Spanned
from variants.errors import MeasurementError
from variants.fingerprint import canonical_json, sha256_text
from variants.prose import passages

DOCUMENTS = 16
TOKENS = 128  # of each document of the screen
PROMPT_TOKENS = 16  # the last of each chat; those before are the template's, the same in all
LONG_PASSAGES = 4  # 8,192 tokens: half of what all of this costs, mostly in fp32
LONG_TOKENS = 2048
BUCKET_ENDS = (256, 512, 1024, 2048)
TOKENS_PER_BUCKET = 64  # 4 x 4 buckets x 64 = 1,024 rows
PUNCTUATION = frozenset('{}[]":,')
Part = Literal["screen", "chat", "long"]


class SpanTokenizer(Protocol):
    """What the texts need of the base's tokenizer."""

    def encode(self, text: str) -> list[int]:
        """Return token ids, without special tokens."""
        ...

    def spans(self, text: str) -> list[Spanned]:
        """Return each token with the characters it stands for."""
        ...

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        """Apply the artifact's own chat template, ready for the assistant's answer."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """Tokens that both arms read, and which of them are scored."""

    passage: str
    part: Part
    tokens: tuple[int, ...]
    positions: tuple[int, ...]  # of the scored tokens: how many stand before each
    labels: tuple[str, ...]  # of the scored tokens

    def __post_init__(self) -> None:
        is_sound = len(self.positions) == len(self.labels) > 0 and self.positions[0] > 0
        if not is_sound or self.positions[-1] >= len(self.tokens):
            raise MeasurementError(
                f"{self.passage}: {len(self.tokens)} tokens leave nothing to score; give a longer "
                "text, or look at the base's tokenizer and chat template"
            )


def texts(tokenizer: SpanTokenizer, most_tokens: int) -> tuple[Text, ...]:
    """Prepare everything; `most_tokens` is the longest context that the model takes."""
    talked = (read_chat(tokenizer, chat) for chat in chats())
    length = min(LONG_TOKENS, most_tokens)
    return (*_screen(tokenizer), *talked, *_long(tokenizer, length))


def digest_of(given: tuple[Text, ...]) -> str:
    """Name the texts by what they hold, so that no arm is compared over other ones."""
    return sha256_text(canonical_json([[text.tokens, text.positions] for text in given]))


def _longest() -> list[str]:
    ordered = sorted(passages("evaluation").items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [text for _, text in ordered]


def _screen(tokenizer: SpanTokenizer) -> Iterator[Text]:
    """Take the first tokens of the longest passages of the evaluation half, one per topic."""
    for number, passage in enumerate(_longest()[:DOCUMENTS]):
        tokens = tokenizer.encode(passage)[: TOKENS + 1]
        positions = tuple(range(1, len(tokens)))
        labels = (PROSE,) * len(positions)
        yield Text(f"screen-{number}", "screen", tuple(tokens), positions, labels)


def read_chat(tokenizer: SpanTokenizer, chat: Chat) -> Text:
    """Label every token of a chat, and score the answer and the end of the prompt."""
    prompt = tokenizer.render_chat(
        [{"role": role, "content": content} for role, content in chat.messages]
    )
    text = prompt + "".join(piece.text for piece in chat.pieces)
    spans = tokenizer.spans(text)
    labels = [
        _label(text[one.start : one.end], one.start - len(prompt), chat.pieces) for one in spans
    ]
    first = max(1, labels.count(PROMPT) - PROMPT_TOKENS)
    return Text(
        chat.id,
        "chat",
        tuple(span.token for span in spans),
        tuple(range(first, len(spans))),
        tuple(labels[first:]),
    )


def _label(token: str, start: int, pieces: tuple[Piece, ...]) -> str:
    """Name the part that a token begins in; `start` counts from the first piece."""
    if start < 0:
        return PROMPT
    ends = accumulate(len(piece.text) for piece in pieces)
    piece = next(piece for piece, end in zip(pieces, ends, strict=True) if start < end)
    marks = token.strip()
    is_punctuation = bool(marks) and PUNCTUATION.issuperset(marks)
    return JSON_PUNCTUATION if piece.is_json and is_punctuation else piece.label


def _long(tokenizer: SpanTokenizer, length: int) -> Iterator[Text]:
    """Fill each passage from the longest topics on; one that is too short goes on with the next."""
    ends = [end for end in BUCKET_ENDS if end <= length]
    if not ends:
        return
    positions = tuple(chain.from_iterable(map(_spread, ends)))
    topics = iter(_longest())
    for number in range(LONG_PASSAGES):
        tokens: list[int] = []
        while len(tokens) < ends[-1]:
            tokens += tokenizer.encode(next(topics) + "\n\n")
        labels = (PROSE,) * len(positions)
        yield Text(f"long-{number}", "long", tuple(tokens[: ends[-1]]), positions, labels)


def _spread(end: int) -> list[int]:
    """Spread the scored positions evenly over a bucket; position 0 has no context."""
    start = 1 if end == FIRST_END else end // 2
    steps = TOKENS_PER_BUCKET - 1
    return [start + (end - 1 - start) * step // steps for step in range(TOKENS_PER_BUCKET)]
