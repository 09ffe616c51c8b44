"""The rows of a user's own file of items: JSON Lines in UTF-8, every fault told with its line.

A file holds items to choose, `{"id", "prompt", "options"}` with the right option first, or items
to answer, `{"id", "prompt", "answers"}`; both may have a `cluster`, and the latter `max_tokens`
and a `reading` (`evals.suites.short_answers.reading`).

Example: `{"id": "7", "prompt": "Capital of Peru?", "options": ["Lima", "Quito"]}`.
"""

import hashlib
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evals.suites.short_answers.reading import READINGS
from evals.suites.structured.strict_json import read_document
from variants.errors import StudyError

MAX_BYTES = 64 * 2**20  # 100,000 items of 600 bytes; more is no suite, but a corpus
ANSWER_TOKENS = 64


class OwnRow(BaseModel):
    """What every row has."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str = Field(min_length=1, max_length=200)
    prompt: str = Field(min_length=1)
    cluster: str = Field(default="", description="what related items share; none: the item itself")

    @property
    def group(self) -> str:
        """The cluster, or the item itself."""
        return self.cluster or self.id


class ChoiceRow(OwnRow):
    """An item to choose; the first option is right."""

    options: list[str] = Field(min_length=2)

    @model_validator(mode="after")
    def _options_differ(self) -> Self:
        if not all(self.options) or len(set(self.options)) < len(self.options):
            raise ValueError(f"options must differ and have text, got {self.options}")
        return self


class WrittenRow(OwnRow):
    """An item to answer; any of the answers is right."""

    answers: list[str] = Field(min_length=1)
    max_tokens: int = Field(default=ANSWER_TOKENS, ge=1, le=1024)
    reading: Literal["number", "text", "list", "exact"] = "text"

    @model_validator(mode="after")
    def _answers_can_be_read(self) -> Self:
        for answer in self.answers:
            if not self._is_readable(answer):
                raise ValueError(f"answer {answer!r} cannot be read as {self.reading}")
        return self

    def _is_readable(self, answer: str) -> bool:
        if self.reading != "number":
            return bool(READINGS[self.reading](answer))
        try:
            return Decimal(answer).is_finite()
        except InvalidOperation:
            return False


Row = TypeVar("Row", bound=OwnRow)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file's lines, and the digest of its bytes."""

    path: Path
    sha256: str
    lines: tuple[str, ...]

    def rows(self, kind: type[Row]) -> tuple[Row, ...]:
        """Read every line as one kind of row.

        Raises:
            StudyError: a line is no such row, or an id stands twice; says which line.
        """
        rows: dict[str, Row] = {}
        for number, line in enumerate(self.lines, 1):
            row = self._row(number, line, kind)
            if row.id in rows:
                first = list(rows).index(row.id) + 1
                raise StudyError(
                    f"{self.path} line {number}: id {row.id!r} stands on line {first} already; "
                    "give every item an id of its own"
                )
            rows[row.id] = row
        return tuple(rows.values())

    def _row(self, number: int, line: str, kind: type[Row]) -> Row:
        document = read_document(line)
        if document is None:
            raise StudyError(
                f"{self.path} line {number} is no JSON object with names given once: "
                f"{line[:80]!r}; write one item a line"
            )
        try:
            return kind.model_validate(document.value)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, one['loc'])) or 'item'}: {one['msg']}"
                for one in error.errors()
            )
            raise StudyError(
                f"{self.path} line {number}: {faults}; an item has {', '.join(kind.model_fields)}"
            ) from error


def read_file(path: Path) -> OwnFile:
    """Read a file's lines; the last may end in a line break.

    Raises:
        StudyError: it is not there, empty, too large, or not UTF-8.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MAX_BYTES else b""
        text = content.decode("utf-8")
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}; correct its path") from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise StudyError(f"{path} line {line} is not UTF-8; save it as UTF-8") from error
    if size > MAX_BYTES:
        raise StudyError(f"{path} has {size} bytes, at most {MAX_BYTES} are read; give fewer items")
    lines = tuple(text.removesuffix("\n").split("\n"))  # a string may hold other line separators
    if not text.strip():
        raise StudyError(f"{path} is empty; write one item a line")
    return OwnFile(path, hashlib.sha256(content).hexdigest(), lines)
