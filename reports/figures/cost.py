"""What output tokens cost: the price of a device hour over the tokens of an hour.

Example: 3.60 USD an hour at 1,000 tokens/s: 3.60 / (1000 * 3600) * 1e6 = 1 USD per million tokens.
"""

from reports.figures.means import Mean, bounded
from reports.view import Arm

THROUGHPUT = "output_tokens_per_s"
SECONDS_PER_HOUR = 3600
MILLION = 1_000_000


def usd_per_million_tokens(price_per_device_hour: float, tokens_per_s: float) -> float | None:
    """Return the cost of a million output tokens; None: nothing came out."""
    if tokens_per_s <= 0:
        return None
    return price_per_device_hour / (tokens_per_s * SECONDS_PER_HOUR) * MILLION


def cost_of(arm: Arm, cell: str, price_per_device_hour: float) -> Mean | None:
    """Bound an arm's cost in USD per million output tokens over the valid repeats of a cell."""
    speeds = [one.metrics.get(THROUGHPUT) for one in arm.cells(cell) if not one.invalid]
    costs = [
        usd_per_million_tokens(price_per_device_hour, speed)
        for speed in speeds
        if speed is not None
    ]
    return bounded([cost for cost in costs if cost is not None])
