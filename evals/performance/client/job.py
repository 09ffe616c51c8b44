"""What the parent and its senders say to each other, one line of JSON at a time."""

from pydantic import Field

from evals.performance.endpoint import Endpoint
from evals.results import Result
from evals.workload.plan import Plan


class Job(Result):
    """One cell, in a file: the same for every sender of it."""

    endpoint: Endpoint
    plan: Plan


class Order(Result):
    """What one sender is to do of it; it answers `Ready`, and then waits for `Start`."""

    job: str = Field(description="path of the Job")
    traces: str = Field(description="file that takes the traces as JSON lines")
    shard: int = Field(default=0, ge=0)
    num_shards: int = Field(default=1, ge=1)


class Ready(Result):
    """The connections are open."""

    error: str = Field(default="", description="why the plan cannot be sent; '' is ready")


class Start(Result):
    """The instant at which the ramp begins, for all senders."""

    at_ns: int = Field(description="monotonic stamp")


class Reply(Result):
    """What a sender answers when the traces are written."""

    error: str = Field(default="", description="why the plan could not be sent; '' is success")
    over_ns: int = Field(default=0, description="monotonic stamp at which it sent no more")
    loop_lag_ms: tuple[float, ...] = Field(
        default=(), description="lag of each heartbeat inside the window"
    )
    is_given_up: bool = Field(default=False, description="too many requests had missed the SLO")
    cpu_s: float = Field(default=0, description="CPU time of this process since it began")
    peak_bytes: int = Field(default=0, description="its peak resident set")
