"""Everything that will be sent in one cell, fixed before the start (drawn by `planning.py`).

A plan does not depend on the arm, so both arms of a repeat are sent the same one.
"""

from typing import Literal

from pydantic import Field

from evals.results import Result

NS_PER_S = 1_000_000_000

Phase = Literal["ramp", "window", "tail", "free"]


class Leave(Result):
    """When a caller goes away: so long after sending, or behind so many token-bearing reads."""

    after_ns: int | None = Field(default=None, ge=0)
    after_reads: int | None = Field(default=None, ge=1)


class PlannedRequest(Result):
    """One request: when, which text, and whether its caller stays."""

    index: int
    offset_ns: int | None = Field(description="from the start of the cell; None: a worker is free")
    phase: Phase = Field(description="window is judged; free: judged if sent inside the window")
    nonce: tuple[int, ...] = Field(description="token ids that no other prompt begins with")
    start: int = Field(description="first token of its window in the stream")
    num_text: int = Field(description="tokens of that window")
    leave: Leave | None = None


class Plan(Result):
    """One cell of one repeat, the same for both arms."""

    cell: str
    repeat: int
    seed: int
    closed: int | None = Field(description="workers of a closed loop; None is an open loop")
    is_streaming: bool = True
    output_tokens: int
    ramp_ns: int
    window_ns: int
    timeout_ns: int = Field(description="per request, from its scheduled time")
    client_stall_ns: int = Field(default=0, ge=0, description="blocks the sender, to be found out")
    shared: tuple[int, ...] = Field(default=(), description="token ids that begin every prompt")
    stream: tuple[int, ...] = Field(description="token ids of real text")
    requests: tuple[PlannedRequest, ...]

    @property
    def is_open(self) -> bool:
        """Whether arrivals are scheduled, so that goodput and attainment are defined."""
        return self.closed is None

    def prompt(self, request: PlannedRequest) -> list[int]:
        """Give the token ids of one request."""
        text = self.stream[request.start : request.start + request.num_text]
        return [*self.shared, *request.nonce, *text]

    def prompt_tokens(self, request: PlannedRequest) -> int:
        """Return the length of a prompt."""
        return len(self.shared) + len(request.nonce) + request.num_text
