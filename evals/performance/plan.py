"""Everything that will be sent in one cell, fixed before the start (drawn by `planning.py`).

A plan does not depend on the arm, so both arms of a repeat are sent the same one.
"""

from typing import Literal

from pydantic import Field

from evals.results import Result

NS_PER_S = 1_000_000_000

Phase = Literal["ramp", "window", "tail", "free"]


class PlannedRequest(Result):
    """One request: when, and which text."""

    index: int
    offset_ns: int | None = Field(description="from the start of the cell; None: a worker is free")
    phase: Phase = Field(description="window is judged; free: judged if sent inside the window")
    nonce: tuple[int, ...] = Field(description="token ids that begin the prompt")
    start: int = Field(description="first token of its window in the stream")


class Plan(Result):
    """One cell of one repeat, the same for both arms."""

    cell: str
    repeat: int
    seed: int
    closed: int | None = Field(description="workers of a closed loop; None is an open loop")
    rate_rps: float | None = Field(description="arrivals per second of an open loop")
    input_tokens: int
    output_tokens: int
    ramp_ns: int
    window_ns: int
    timeout_ns: int = Field(description="per request, from its scheduled time")
    stream: tuple[int, ...] = Field(description="token ids of real text")
    requests: tuple[PlannedRequest, ...]

    @property
    def is_open(self) -> bool:
        """Whether arrivals are scheduled, so that goodput and attainment are defined."""
        return self.closed is None

    def prompt(self, request: PlannedRequest) -> list[int]:
        """Give the token ids of one request."""
        num_text = self.input_tokens - len(request.nonce)
        return [*request.nonce, *self.stream[request.start : request.start + num_text]]
