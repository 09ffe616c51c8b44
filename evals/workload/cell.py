"""One point of the workload matrix: a load, and what is special about its requests.

Every axis has a name, and what differs from the plain cell is in the cell's name.

Example: `{poisson: 2, input: long, prefix: high}` is the cell poisson-2-long-in-shared.
"""

from typing import Literal

from pydantic import Field, model_validator

from evals.results import Result
from evals.workload.arrivals import Arrivals, Bursts, Constant, Gamma, Periodic, Poisson
from evals.workload.asks import Ask
from evals.workload.replay import Replay

LOADS = ("closed", "poisson", "constant", "gamma", "bursts", "periodic", "replay")
MEDIA = ("image", "images", "audio", "video", "multimodal")
Length = Literal["short", "long"]


class Leaves(Result):
    """Callers that go away before their answer is complete.

    In a closed loop of more workers than the engine runs at once, those that leave before the
    first token leave from its queue.
    """

    when: Literal["before-first-token", "mid-stream"]
    share: float = Field(default=0.25, gt=0, le=1, description="of requests, drawn beforehand")


class CellSpec(Result):
    """Exactly one load, and the axes; the defaults are the plain cell."""

    closed: int | None = Field(default=None, ge=1, le=4096, description="concurrent requests")
    poisson: float | None = Field(
        default=None, ge=0.001, le=10_000, description="requests per second"
    )
    constant: float | None = Field(
        default=None, ge=0.001, le=10_000, description="the same, evenly"
    )
    gamma: Gamma | None = None
    bursts: Bursts | None = None
    periodic: Periodic | None = None
    replay: Replay | None = Field(default=None, description="a log of when, and how long")
    input: Length | Literal["mixed"] = Field(
        default="short",
        description="mixed: a long prompt arrives into running decodes now and then",
    )
    output: Length = "short"
    prefix: Literal["low", "high"] = Field(
        default="low", description="high: all prompts of the cell begin with the same text"
    )
    turns: int = Field(
        default=1, ge=1, le=50, description="of a conversation: each begins with all before it"
    )
    asks: Ask = Field(default="text", description="JSON of a schema, or a call of a tool")
    tenants: Literal["one", "mixed"] = Field(
        default="one", description="mixed: drawn from the workload's tenants by their shares"
    )
    adapters: Literal["none", "mixed"] = Field(
        default="none", description="mixed: the model and the workload's adapters, evenly"
    )
    streaming: bool = True
    leaves: Leaves | None = None
    timeout_ms: float | None = Field(
        default=None, ge=1, description="how long callers wait; None: the workload's timeout"
    )
    prompts: Literal["fresh", "repeated"] = Field(
        default="fresh", description="repeated: checks that a contaminated cell is found invalid"
    )
    client_stall_ms: float = Field(
        default=0,
        ge=0,
        le=1000,
        description="ten times a second: checks that a slow client is found out",
    )
    judged: bool = Field(
        default=True, description="False: measured less often and shown, and no gate asks for it"
    )

    @model_validator(mode="before")
    @classmethod
    def _is_text(cls, fields: object) -> object:
        asked = fields if isinstance(fields, dict) else {}
        found = [name for name in MEDIA if name in asked or asked.get("input") == name]
        if found:
            raise ValueError(
                f"{found[0]} input is not measured: prompts here are text alone, and a figure for "
                "text says nothing about pictures or sound; leave the cell out"
            )
        return fields

    @model_validator(mode="after")
    def _one_load(self) -> "CellSpec":
        given = [name for name in LOADS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"a cell is exactly one of {', '.join(LOADS)}; this one is "
                f"{' and '.join(given) or 'none'}"
            )
        return self

    @model_validator(mode="after")
    def _axes_agree(self) -> "CellSpec":
        if self.leaves and self.leaves.when == "mid-stream" and not self.streaming:
            raise ValueError("without streaming nobody leaves mid-stream; say before-first-token")
        if self.turns > 1 and (self.closed or self.replay):
            raise ValueError(
                "turns follow each other by the clock, so they need scheduled arrivals of their "
                "own; give poisson, constant, gamma, bursts or periodic"
            )
        if self.turns > 1 and self.input == "mixed":
            raise ValueError("turns grow by themselves; leave out input: mixed")
        if self.prompts == "repeated" and (self.turns > 1 or self.replay):
            raise ValueError("repeated prompts check a plain cell; leave out turns and replay")
        plain = {"input": "short", "output": "short", "prefix": "low"}
        fixed = [axis for axis, usual in plain.items() if getattr(self, axis) != usual]
        if self.replay and fixed:
            raise ValueError(f"a replay takes its lengths from the log; leave out {fixed[0]}")
        return self

    @property
    def arrivals(self) -> Arrivals | Replay | None:
        """The arrival process; None in a closed loop."""
        if self.poisson is not None:
            return Poisson(rate=self.poisson)
        if self.constant is not None:
            return Constant(rate=self.constant)
        return self.gamma or self.bursts or self.periodic or self.replay

    @property
    def name(self) -> str:
        """Load, then whatever is not plain: closed-8, poisson-2.5-long-in."""
        load = self.arrivals.label if self.arrivals else f"closed-{self.closed}"
        parts = {
            f"{self.input}-in": self.input != "short",
            f"{self.output}-out": self.output != "short",
            "shared": self.prefix == "high",
            f"{self.turns}-turns": self.turns > 1,
            self.asks: self.asks != "text",
            "tenants": self.tenants == "mixed",
            "adapters": self.adapters == "mixed",
            "whole": not self.streaming,
            "repeated": self.prompts == "repeated",
            "stalled": self.client_stall_ms > 0,
            f"left-{self.leaves.when}" if self.leaves else "": self.leaves is not None,
            f"timeout-{self.timeout_ms or 0:g}ms": self.timeout_ms is not None,
        }
        return "-".join([load, *(name for name, is_special in parts.items() if is_special)])

    @property
    def is_open(self) -> bool:
        """Whether goodput and attainment are defined."""
        return self.arrivals is not None
