"""What the ledger keeps beside evidence: how a run began and ended, and every move of a channel.

Each entry is as immutable as evidence: written once as JSON, named by its digest, so that a
ledger rebuilt from files holds them too.
"""

from typing import Literal

from pydantic import Field

from evals.gates.policy import Policy
from evals.results import Result
from variants.hardware import Hardware


class Stage(Result):
    """One line of the table of where the time went."""

    name: str = Field(description="e.g. install, build, serve, measure, evaluate, judge, report")
    seconds: float = Field(ge=0, description="s, wall clock")


class Setting(Result):
    """Where and with what a run was begun, and how to do it again: told without asking anew."""

    study: str
    run: str
    at: str = Field(description="UTC, ISO 8601, when it was written down")
    hardware: Hardware
    tools: dict[str, str] = Field(description="package -> version that shapes an artifact's bytes")
    engines: dict[str, str] = Field(description="list of an engine's packages -> sha256 hex of it")
    commands: tuple[str, ...] = Field(description="that run the study again, go on, or tell again")
    policy: Policy | None = Field(default=None, description="as it was; None: not written down")
    base: str | None = Field(default=None, description="as the study names it")
    target: str | None = None
    service_class: str | None = None
    price_per_device_hour: float | None = Field(default=None, description="USD; None: not given")


class RunEnd(Result):
    """When a run began and ended, and how."""

    study: str
    run: str
    started_at: str = Field(description="UTC, ISO 8601")
    ended_at: str = Field(description="UTC, ISO 8601")
    exit_code: int = Field(description="0 promoted or confirmed, 10 rejected, 20 hold, else error")
    stages: tuple[Stage, ...] = ()


class Promotion(Result):
    """One move of a channel's pointer."""

    study: str
    run: str
    variant: str
    channel: str = Field(description="base, target and service class")
    fingerprint: str = Field(description="of what the channel points to now")
    action: Literal["move", "confirm", "rollback", "undo", "force"]
    at: str = Field(description="UTC, ISO 8601")
    reason: str
