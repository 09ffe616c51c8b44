"""What a calibration set is like, beside the traffic that a variant is meant for.

Lengths are in tokens of the base, and of no more than a sequence holds; letters are Latin or not,
which tells apart what a study of another language must not be calibrated on.

Example: requests of 100, 200 and 400 tokens in sequences of 256 have the median 200 and, at most,
256; traffic of 96 tokens is then less than half as long, and that is told.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from pydantic import BaseModel, ConfigDict, Field

from variants.calibration.request import Request

MOST_TIMES = 2.0  # as long, or as short: beyond it, lengths are told as unlike
MOST_POINTS = 0.2  # of shares
MOST_LETTERS = 20_000  # looked at of each request


class Likeness(BaseModel):
    """Figures of a calibration set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    num_requests: int = Field(ge=1)
    median_tokens: float = Field(description="per request, at most a sequence")
    p90_tokens: float
    tool_share: float = Field(ge=0, le=1, description="of requests that offer tools")
    chat_share: float = Field(ge=0, le=1, description="of requests written by a chat template")
    latin_share: float | None = Field(description="of letters; None: there is no letter")


@dataclass(frozen=True, slots=True)
class Traffic:
    """What a study declares of production; None is not declared."""

    median_tokens: float | None = None
    p90_tokens: float | None = None
    tool_share: float | None = None
    latin_share: float | None = None


def describe(
    requests: Sequence[Request], count: Callable[[Request], int], sequence_tokens: int
) -> Likeness:
    """Measure a set; `count` gives the tokens of a request."""
    lengths = [min(count(one), sequence_tokens) for one in requests]
    return Likeness(
        num_requests=len(requests),
        median_tokens=median(lengths),
        p90_tokens=quantiles(lengths, n=10, method="inclusive")[-1]
        if len(lengths) > 1
        else lengths[0],
        tool_share=sum(bool(one.tools) for one in requests) / len(requests),
        chat_share=sum(bool(one.messages) for one in requests) / len(requests),
        latin_share=_latin_share(requests),
    )


def compare(seen: Likeness, traffic: Traffic) -> list[str]:
    """Say how a set differs from the traffic; [] is alike in all that was declared."""
    lengths = (
        ("median length", seen.median_tokens, traffic.median_tokens),
        ("length at the 90th percentile", seen.p90_tokens, traffic.p90_tokens),
    )
    shares = (
        ("share of requests with tools", seen.tool_share, traffic.tool_share),
        ("share of Latin letters", seen.latin_share, traffic.latin_share),
    )
    unlike = [
        f"{name} {ours:.0f} tokens, traffic {theirs:.0f}"
        for name, ours, theirs in lengths
        if theirs and not 1 / MOST_TIMES <= ours / theirs <= MOST_TIMES
    ]
    return unlike + [
        f"{name} {ours:.0%}, traffic {theirs:.0%}"
        for name, ours, theirs in shares
        if ours is not None and theirs is not None and abs(ours - theirs) > MOST_POINTS
    ]


def _latin_share(requests: Sequence[Request]) -> float | None:
    letters = [
        letter for one in requests for letter in one.words[:MOST_LETTERS] if letter.isalpha()
    ]
    if not letters:
        return None
    known = {letter: "LATIN" in unicodedata.name(letter, "") for letter in set(letters)}
    return sum(known[letter] for letter in letters) / len(letters)
