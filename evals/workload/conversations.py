"""Conversations of the ShareGPT kind, written as a log that a cell can replay.

Such a set says what was said, not when. Conversations here begin as a Poisson process, and each
later question comes a fixed time after the one before it. A request's prompt is all that was said
before its answer, in segments, so that a prefix cache finds what it would find in production; the
answer is as long as the one in the set. Lengths are of the model's own tokenizer.

Example: "human: a b", "gpt: c", "human: d", "gpt: e f" are two requests: prompts of 2 and 4 tokens,
answers of 1 and 2; the second begins with the first one's segments.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evals.workload.replay import Segment
from variants.command import ended
from variants.errors import StudyError
from variants.fingerprint import sha256_file

ASSISTANT = {"assistant", "gpt", "chatgpt", "bing", "bard", "model"}
OTHERS = {"user", "human", "system", "tool"}


class Said(NamedTuple):
    """One message."""

    is_answer: bool
    num_tokens: int


class Pace(NamedTuple):
    """When conversations begin and go on."""

    rate: float  # conversations per second
    think_s: float
    seed: int


Count = Callable[[str], int]


def read_conversations(path: Path, count: Count) -> Iterator[list[Said]]:
    """Read a JSON list or JSON lines of ShareGPT's `conversations` or OpenAI's `messages`.

    Raises:
        StudyError: the file is neither, or a message has no known speaker.
    """
    for number, row in enumerate(_rows(path), 1):
        try:
            said = row["conversations"] if "conversations" in row else row["messages"]
            yield [_said(message, count) for message in said]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise StudyError(
                f"{path}: conversation {number} does not read ({error!r}); wanted "
                '{"conversations": [{"from": "human", "value": "..."}, ...]} or '
                '{"messages": [{"role": "user", "content": "..."}, ...]}'
            ) from error


def _rows(path: Path) -> list[Any]:
    try:
        text = path.read_text(encoding="utf-8")
        if text.lstrip().startswith("["):
            return list(json.loads(text))
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise StudyError(f"{path} is neither a JSON list nor JSON lines: {error}") from error


def _said(message: dict[str, str], count: Count) -> Said:
    who = message["from"] if "from" in message else message["role"]
    words = message["value"] if "value" in message else message["content"]
    if who not in ASSISTANT | OTHERS:
        raise ValueError(f"no known speaker: {who!r}")
    if not isinstance(words, str):
        raise ValueError(f"no text: {words!r:.80}")
    return Said(who in ASSISTANT, count(words))


def as_log(conversations: Sequence[list[Said]], pace: Pace) -> list[dict[str, Any]]:
    """Give each answer's request its time, prompt and length, in order of time.

    Times are seconds and lengths tokens. Empty messages, and answers nothing was asked for, are
    left out.
    """
    gaps_s = np.random.default_rng(pace.seed).exponential(1 / pace.rate, len(conversations))
    rows: list[dict[str, Any]] = []
    number = 0
    for begin_s, conversation in zip(np.cumsum(gaps_s).tolist(), conversations, strict=True):
        before: list[Segment] = []
        turn = 0
        for said in conversation:
            if not said.num_tokens:
                continue
            if said.is_answer and before:
                rows.append(_row(begin_s + turn * pace.think_s, before, said.num_tokens))
                turn += 1
            if before or not said.is_answer:
                before = [*before, Segment(number, said.num_tokens)]
                number += 1
    return sorted(rows, key=lambda row: float(row["at_s"]))


def _row(at_s: float, before: Sequence[Segment], num_output: int) -> dict[str, Any]:
    return {
        "at_s": round(at_s, 6),
        "prompt_tokens": sum(segment.num_tokens for segment in before),
        "completion_tokens": num_output,
        "segments": before,
    }


def main() -> int:
    """Write a log of conversations, and print the load that replays it."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.workload.conversations", description=main.__doc__
    )
    parser.add_argument("file", type=Path, help="of ShareGPT's form or OpenAI's")
    parser.add_argument("log", type=Path, help="to write (JSON lines)")
    parser.add_argument("--model", type=Path, required=True, help="folder whose tokenizer counts")
    parser.add_argument("--rate", type=float, required=True, help="conversations begun per second")
    parser.add_argument("--think-s", type=float, default=10.0, help="from question to question")
    parser.add_argument("--seed", type=int, default=0, help="of the beginnings")
    asked = parser.parse_args()
    return ended(lambda: _run(asked), error_code=2)


def _run(asked: argparse.Namespace) -> int:
    from evals.suites.tokenizer import tokenizer_of  # noqa: PLC0415  (seconds to load)

    pace = Pace(asked.rate, asked.think_s, asked.seed)
    if not (0 < pace.rate <= 10_000 and 0 <= pace.think_s <= 3600 and pace.seed >= 0):
        raise StudyError("wanted: a rate above 0 to 10000, think-s of 0 to 3600, a seed from 0")
    if not asked.model.is_dir():
        raise StudyError(f"--model {asked.model} is no folder with a tokenizer")
    try:
        tokenizer = tokenizer_of(asked.model)
    except (OSError, ValueError) as error:
        raise StudyError(f"--model {asked.model} has no tokenizer that reads: {error}") from error
    rows = as_log(list(read_conversations(asked.file, lambda t: len(tokenizer.encode(t)))), pace)
    if not rows:
        raise StudyError(f"{asked.file} has no question with an answer")
    asked.log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} requests over {rows[-1]['at_s']:.0f} s; as a cell:")
    print(f"  - replay: {{path: {asked.log}, sha256: {sha256_file(asked.log)}}}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
