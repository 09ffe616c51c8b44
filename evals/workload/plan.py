"""Everything that will be sent in one cell, fixed before the start (drawn by `planning.py`).

A plan does not depend on the arm, so both arms of a repeat are sent the same one.
"""

import math
from typing import Literal

from pydantic import Field

from evals.results import Result
from evals.workload.asks import Ask
from evals.workload.slo import Slo

ROUNDING = 1e-9  # .1 of 40 requests is 4, whatever a float makes of 1 - .9
NS_PER_S = 1_000_000_000

Phase = Literal["ramp", "window", "tail", "free"]


class Leave(Result):
    """When a caller goes away: so long after sending, or once it has so many tokens."""

    after_ns: int | None = Field(default=None, ge=0)
    after_tokens: int | None = Field(default=None, ge=1)


class Text(Result):
    """A stretch of a prompt: a beginning that no other has, and a window of real text."""

    nonce: tuple[int, ...] = Field(default=(), description="token ids")
    start: int = Field(description="first token of the window in the stream")
    num_tokens: int = Field(ge=0, description="of the window")

    @property
    def size(self) -> int:
        """Tokens of all of it."""
        return len(self.nonce) + self.num_tokens


class PlannedRequest(Result):
    """One request: when, which prompt, for whom, and whether its caller stays."""

    index: int
    offset_ns: int | None = Field(description="from the start of the cell; None: a worker is free")
    phase: Phase = Field(description="window is judged; free: judged if sent inside the window")
    texts: tuple[int, ...] = Field(description="the prompt, as places in `Plan.texts`")
    output_tokens: int = Field(ge=1, description="exactly so many of a text; else at most")
    num_known: int = Field(
        default=0, ge=0, description="leading tokens that a warm prefix cache holds by plan"
    )
    variety: int = Field(default=0, ge=0, description="which schema or tool set is asked for")
    tenant: int | None = Field(default=None, description="place in `Plan.tenants`")
    adapter: str | None = Field(default=None, description="served name; None: the model itself")
    leave: Leave | None = None


class Tenant(Result):
    """Whose requests these are."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    share: float = Field(gt=0, description="of requests, relative to the other tenants'")
    priority: int = Field(default=0, description="lower goes first, where the engine schedules so")
    has_own_cache: bool = Field(
        default=True, description="salts its prefix cache; False: others may profit from its text"
    )


class Patience(Result):
    """When to give an overloaded server up: more misses than the SLO's attainment allows."""

    slo: Slo
    max_missed: int = Field(ge=0, description="judged requests; with one more it cannot be reached")


class Plan(Result):
    """One cell of one repeat, the same for both arms."""

    cell: str
    repeat: int
    seed: int
    closed: int | None = Field(description="workers of a closed loop; None is an open loop")
    is_streaming: bool = True
    ask: Ask = Field(default="text", description="what is asked for")
    ramp_ns: int
    window_ns: int
    timeout_ns: int = Field(description="per request, from its scheduled time")
    client_stall_ns: int = Field(default=0, ge=0, description="blocks the sender, to be found out")
    patience: Patience | None = Field(
        default=None, description="None: every judged request is waited for"
    )
    stream: tuple[int, ...] = Field(description="token ids of real text")
    pieces: tuple[str, ...] = Field(
        default=(), description="what each of them reads; () where prompts are sent as token ids"
    )
    texts: tuple[Text, ...]
    tenants: tuple[Tenant, ...] = ()
    requests: tuple[PlannedRequest, ...]

    @property
    def is_open(self) -> bool:
        """Whether arrivals are scheduled, so that goodput and attainment are defined."""
        return self.closed is None

    def with_patience(self, slo: Slo) -> "Plan":
        """Stop the cell once its attainment can no longer reach the SLO's.

        Example: of 40 judged requests 90 % must be good: the fifth that misses ends the cell.
        """
        num = sum(request.phase == "window" for request in self.requests)
        max_missed = math.floor(num * (1 - slo.attainment) + ROUNDING)
        return self.model_copy(update={"patience": Patience(slo=slo, max_missed=max_missed)})

    def prompt(self, request: PlannedRequest) -> list[int]:
        """Give the token ids of one request."""
        tokens: list[int] = []
        for place in request.texts:
            text = self.texts[place]
            tokens += [*text.nonce, *self.stream[text.start : text.start + text.num_tokens]]
        return tokens

    def spelled(self, pieces: tuple[str, ...]) -> "Plan":
        """Say what each token of the stream reads, where prompts are sent as words."""
        assert len(pieces) == len(self.stream), "one piece per token"
        return self if self.ask == "text" else self.model_copy(update={"pieces": pieces})

    def prompt_tokens(self, request: PlannedRequest) -> int:
        """Return the length of a prompt, in tokens of its own text."""
        return sum(self.texts[place].size for place in request.texts)
