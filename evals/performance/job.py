"""What the parent and its sender say to each other."""

from pydantic import Field

from evals.performance.endpoint import Endpoint
from evals.performance.plan import Plan
from evals.results import Result


class Job(Result):
    """What the parent asks for: a file of this, its path on one line of standard input."""

    endpoint: Endpoint
    plan: Plan
    traces: str = Field(description="file that takes the traces as JSON lines")


class Reply(Result):
    """What the sender answers, on one line of standard output, when the traces are written."""

    error: str = Field(default="", description="why the plan could not be sent; '' is success")
    start_ns: int = Field(default=0, description="monotonic stamp of the start of the ramp")
    start_wall_ns: int = Field(default=0, description="the same instant on the wall clock")
    loop_lag_ms: tuple[float, ...] = Field(
        default=(), description="lag of each heartbeat inside the window"
    )
