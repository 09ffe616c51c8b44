"""Where a cell is sent: an OpenAI-compatible address and the engine behind it."""

from pydantic import Field

from evals.results import Result


class Endpoint(Result):
    """A served model that answers now."""

    base_url: str = Field(
        description="http://HOST:PORT, without a path", pattern=r"^https?://[^/]+$"
    )
    model: str = Field(description="the name it is served under")
    engine: str = Field(description="engine of evals.performance.engine_metrics.METRIC_MAPS")
    engine_version: str = Field(description="as the engine reports it, e.g. 0.32.0")
