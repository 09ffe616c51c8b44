"""Seeded draws of calibration sequences whose content digest travels with the artifact.

Plain text is joined and cut at seeded places. Chats are written by the base's own template, put in
a seeded order, and follow each other until a sequence is full, so that every sequence begins where
a chat begins. No token is used twice in a draw of chats.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from variants.calibration.request import Request
from variants.errors import RecipeError
from variants.fingerprint import fingerprint
from variants.specs.spec import Calibration

Sequences = list[list[int]]


@dataclass(frozen=True, slots=True)
class Reader:
    """A base's tokenizer: text to tokens, and a chat to the text its template makes of it."""

    encode: Callable[[str], list[int]]
    render: Callable[[Request], str]

    def tokens(self, request: Request) -> list[int]:
        """Return a request's tokens, by its template where it is a chat."""
        return self.encode(request.text or self.render(request))

    def count(self, request: Request) -> int:
        """Return how many tokens a request has."""
        return len(self.tokens(request))


def reader_of(tokenizer: Any) -> Reader:
    """Read with a tokenizer of transformers."""

    def encode(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    def render(request: Request) -> str:
        if tokenizer.chat_template is None:
            raise RecipeError(
                "the base has no chat template, and the calibration set is of chats; use corpus "
                "stdlib-docstrings, or requests with text"
            )
        text = _by_template(tokenizer, request)
        if all(text.count(name) >= request.names.count(name) for name in request.names):
            return text
        return _by_template(tokenizer, request.in_words())  # it knows no tools, and drops them

    return Reader(encode, render)


def _by_template(tokenizer: Any, request: Request) -> str:
    from jinja2 import TemplateError  # noqa: PLC0415

    messages, tools = list(request.messages), list(request.tools) or None
    try:
        return str(tokenizer.apply_chat_template(messages, tools=tools, tokenize=False))
    except TemplateError as error:
        roles = ", ".join(str(one["role"]) for one in messages)
        raise RecipeError(
            f"the base's chat template refuses a calibration request of {roles}: {error}; use "
            "another set, or correct the request"
        ) from error


def draw(
    calibration: Calibration, requests: Sequence[Request], reader: Reader
) -> tuple[Sequences, str]:
    """Draw `num_samples` sequences; return them and their digest.

    Shapes: num_samples x sequence_tokens.

    Raises:
        RecipeError: the set holds too few tokens.
    """
    is_plain = all(request.text for request in requests)
    pick = _cut if is_plain else _pack
    sequences = pick(calibration, requests, reader)
    return sequences, fingerprint(sequences)


def _cut(calibration: Calibration, requests: Sequence[Request], reader: Reader) -> Sequences:
    tokens = reader.encode("\n\n".join(request.text for request in requests))
    length = calibration.sequence_tokens
    if len(tokens) <= length:
        raise RecipeError(
            f"calibration corpus holds {len(tokens)} tokens, one sequence needs {length}; "
            "ask for shorter sequences"
        )
    generator = random.Random(calibration.seed)
    starts = [generator.randrange(len(tokens) - length) for _ in range(calibration.num_samples)]
    return [tokens[start : start + length] for start in starts]


def _pack(calibration: Calibration, requests: Sequence[Request], reader: Reader) -> Sequences:
    shuffled = list(requests)
    random.Random(calibration.seed).shuffle(shuffled)
    written = map(reader.tokens, shuffled)
    asked, length = calibration.num_samples, calibration.sequence_tokens
    sequences = [row for row, _ in zip(_rows(written, length), range(asked), strict=False)]
    if len(sequences) < asked:
        raise RecipeError(
            f"calibration set {calibration.corpus} of {len(requests)} requests fills "
            f"{len(sequences)} sequences of {length} tokens, {asked} are asked; ask for fewer or "
            "shorter ones, or give more requests"
        )
    return sequences


def _rows(written: Iterator[list[int]], length: int) -> Iterator[list[int]]:
    row: list[int] = []
    for tokens in written:
        row += tokens
        if len(row) >= length:
            yield row[:length]
            row = []
