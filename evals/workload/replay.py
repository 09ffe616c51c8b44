"""A log of real traffic, sent again: when requests came, how long they were, what they shared.

Formats, told by their columns: Mooncake's traces (github.com/kvcache-ai/Mooncake, FAST25-release:
`timestamp` in ms, `input_length`, `output_length`, `hash_ids` of 512 tokens each), Azure's
(github.com/Azure/AzurePublicDataset: `TIMESTAMP`, `ContextTokens`, `GeneratedTokens`), BurstGPT
(github.com/HPMLL/BurstGPT: `Timestamp` in s, `Request tokens`, `Response tokens`), and one's own:
JSON lines of `at_s`, `prompt_tokens`, `completion_tokens`, and, where prompts have stretches in
common, `segments` (as `conversations.py` writes them): pairs of a number and its tokens. Rows
without an answer are left out: what failed then says nothing about how long its answer would be.
"""

import csv
import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from pydantic import Field

from evals.results import Result
from evals.workload.arrivals import Seconds
from variants.errors import StudyError
from variants.fingerprint import sha256_file

BLOCK_TOKENS = 512  # of one of Mooncake's hash ids
MS_PER_S = 1000
UNNAMABLE = re.compile(r"[^A-Za-z0-9._-]+")  # in the name of a cell


class Segment(NamedTuple):
    """A stretch of a prompt; equal numbers are equal text."""

    number: int
    num_tokens: int


class Logged(NamedTuple):
    """One request of a log."""

    at_s: float  # from the first
    input_tokens: int
    output_tokens: int
    segments: tuple[Segment, ...] = ()  # its beginning; what they leave is text of its own


class Replay(Result):
    """A file, and how fast it is played."""

    kind: Literal["replay"] = "replay"
    path: str = Field(description="of the log, from the working directory")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="pins what is replayed")
    speed: float = Field(default=1, gt=0, le=1000, description="2: gaps are half as long")
    begin_s: float = Field(default=0, ge=0, description="of the log, where the replay begins")
    max_input_tokens: int = Field(default=1536, ge=8, description="longer prompts are cut to this")
    max_output_tokens: int = Field(default=512, ge=1, description="longer answers are cut to this")

    @property
    def label(self) -> str:
        """replay-NAME, replay-NAME-x2."""
        speed = "" if self.speed == 1 else f"-x{self.speed:g}"
        return f"replay-{UNNAMABLE.sub('-', Path(self.path).stem)[:40]}{speed}"

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Give the times of the log; nothing is drawn."""
        return np.array([logged.at_s for logged in self.requests(total_s)])

    def requests(self, total_s: float) -> tuple[Logged, ...]:
        """Give what falls into `total_s`, its times as they are played and its lengths as sent."""
        rows = read_log(self.path, self.sha256)
        moved = ((row, (row.at_s - self.begin_s) / self.speed) for row in rows)
        return tuple(
            Logged(
                at_s,
                min(row.input_tokens, self.max_input_tokens),
                min(row.output_tokens, self.max_output_tokens),
                row.segments,
            )
            for row, at_s in moved
            if 0 <= at_s < total_s
        )


@lru_cache(maxsize=4)
def read_log(path: str, sha256: str) -> tuple[Logged, ...]:
    """Read a log, in order of time.

    Raises:
        StudyError: there is no such file; it has another digest; its columns are none of the
            formats; or a row does not read.
    """
    if not Path(path).is_file():
        raise StudyError(f"no log {path} to replay; give its path from the working directory")
    if (found := sha256_file(Path(path))) != sha256:
        raise StudyError(f"{path} has sha256 {found}, not {sha256}; pin the one that is there")
    rows = list(_rows(Path(path)))
    name, read = _format_of(path, rows[0] if rows else {})
    logged: list[tuple[float, Logged]] = []
    for number, row in enumerate(rows, 1):
        try:
            entry = read(row)
            _require_sound(entry)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise StudyError(f"{path} row {number} is no row of {name}: {error!r}") from error
        if entry.output_tokens:
            logged.append((entry.at_s, entry))
    logged.sort(key=lambda pair: pair[0])
    start_s = logged[0][0] if logged else 0.0
    return tuple(entry._replace(at_s=at_s - start_s) for at_s, entry in logged)


def _require_sound(entry: Logged) -> None:
    if not math.isfinite(entry.at_s) or entry.input_tokens < 1 or entry.output_tokens < 0:
        raise ValueError(f"no time and lengths: {entry}")
    if any(segment.num_tokens < 1 for segment in entry.segments):
        raise ValueError(f"a segment without tokens: {entry}")
    if sum(segment.num_tokens for segment in entry.segments) > entry.input_tokens:
        raise ValueError(f"segments longer than the prompt: {entry}")


def _rows(path: Path) -> Iterable[Mapping[str, Any]]:
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        if path.suffix == ".csv":
            yield from csv.DictReader(lines)
            return
        for number, line in enumerate(lines, 1):
            try:
                yield dict(json.loads(line))
            except (TypeError, ValueError) as error:
                raise StudyError(f"{path} line {number} is no JSON object: {error}") from error


def _mooncake(row: Mapping[str, Any]) -> Logged:
    blocks, num_input = row.get("hash_ids") or (), int(row["input_length"])
    starts = range(0, min(num_input, BLOCK_TOKENS * len(blocks)), BLOCK_TOKENS)
    segments = tuple(
        Segment(int(block), min(BLOCK_TOKENS, num_input - start))
        for block, start in zip(blocks, starts, strict=False)  # more blocks than the prompt fills
    )
    at_s = float(row["timestamp"]) / MS_PER_S
    return Logged(at_s, num_input, int(row["output_length"]), segments)


def _azure(row: Mapping[str, Any]) -> Logged:
    at = datetime.fromisoformat(row["TIMESTAMP"][:26])  # it has 7 digits; 6 are read, as UTC
    at_s = at.replace(tzinfo=at.tzinfo or UTC).timestamp()
    return Logged(at_s, int(row["ContextTokens"]), int(row["GeneratedTokens"]))


def _burstgpt(row: Mapping[str, Any]) -> Logged:
    return Logged(float(row["Timestamp"]), int(row["Request tokens"]), int(row["Response tokens"]))


def _own(row: Mapping[str, Any]) -> Logged:
    segments = tuple(Segment(int(number), int(num)) for number, num in row.get("segments") or ())
    lengths = int(row["prompt_tokens"]), int(row["completion_tokens"])
    return Logged(float(row["at_s"]), *lengths, segments)


FORMATS = {
    "Mooncake": (_mooncake, {"timestamp", "input_length", "output_length"}),
    "Azure": (_azure, {"TIMESTAMP", "ContextTokens", "GeneratedTokens"}),
    "BurstGPT": (_burstgpt, {"Timestamp", "Request tokens", "Response tokens"}),
    "a log of one's own": (_own, {"at_s", "prompt_tokens", "completion_tokens"}),
}


def _format_of(path: str, row: Mapping[str, Any]) -> tuple[str, Any]:
    for name, (read, columns) in FORMATS.items():
        if columns <= set(row):
            return name, read
    known = "; ".join(f"{name}: {', '.join(sorted(cols))}" for name, (_, cols) in FORMATS.items())
    raise StudyError(f"{path} has columns {sorted(row)}, which is no known log. Known: {known}")
