"""Every metric a gate or an objective may name: where it is read, its direction and its unit.

A name that is not here is undeclared, and no gate passes on it. Means or medians:

- TPOT by its mean: a variant that stalls now and then (preemption, rejected drafts) moves the
  mean and not the median, and the mean over tokens is what throughput costs.
- TTFT by its median: with some tens of requests in a window its mean is one burst of arrivals;
  the tail is judged by attainment, the share of requests inside the SLO.
"""

from dataclasses import dataclass
from typing import Literal

from evals.workload.cell import CellSpec
from variants.errors import MeasurementError

Direction = Literal["lower", "higher"]


Source = Literal["cells", "memory", "startup", "price"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: its key in the record it is read from, better direction, unit."""

    key: str
    direction: Direction
    unit: str
    is_open_only: bool = False
    is_streamed_only: bool = False
    source: Source = "cells"

    def is_defined_in(self, cell: CellSpec) -> bool:
        """Whether the figure exists there: goodput asks for arrivals, TTFT for a stream."""
        return (cell.is_open or not self.is_open_only) and (
            cell.streaming or not self.is_streamed_only
        )


METRICS: dict[str, Metric] = {
    "tpot_ms": Metric("tpot_ms_mean", "lower", "ms", is_streamed_only=True),
    "ttft_ms": Metric("ttft_ms_p50", "lower", "ms", is_streamed_only=True),
    "e2e_ms": Metric("e2e_ms_p50", "lower", "ms"),
    "output_tokens_per_s": Metric("output_tokens_per_s", "higher", "tokens/s"),
    "request_rate_rps": Metric("request_rate_rps", "higher", "requests/s"),
    "goodput_rps": Metric("goodput_rps", "higher", "requests/s", is_open_only=True),
    "attainment": Metric("attainment", "higher", "share", is_open_only=True),
    "energy_j_per_token": Metric("energy_j_per_token", "lower", "J/token"),
    "cost_usd_per_million_tokens": Metric(
        "output_tokens_per_s", "lower", "USD/million tokens", source="price"
    ),
    "weight_bytes": Metric("weight_bytes", "lower", "bytes", source="memory"),
    "peak_process_bytes": Metric("peak_process_bytes", "lower", "bytes", source="memory"),
    "cold_start_s": Metric("cold", "lower", "s", source="startup"),
    "warm_start_s": Metric("warm", "lower", "s", source="startup"),
}


def declared(name: str) -> Metric:
    """Return the metric of that name.

    Raises:
        MeasurementError: it is undeclared.
    """
    if name not in METRICS:
        raise MeasurementError(f"metric {name!r} is undeclared; declared are {sorted(METRICS)}")
    return METRICS[name]


def cell_key(name: str) -> str:
    """Return where a metric of cells is read.

    Raises:
        MeasurementError: it is undeclared, or not measured in cells.
    """
    metric = declared(name)
    if metric.source != "cells":
        raise MeasurementError(f"metric {name!r} is not measured in cells")
    return metric.key


def check_direction(name: str, direction: Direction) -> None:
    """Refuse a direction that contradicts the registry.

    Raises:
        MeasurementError: the two differ, so that better and worse would be swapped.
    """
    if declared(name).direction != direction:
        raise MeasurementError(
            f"{name} is better when {declared(name).direction}, the policy says {direction}"
        )
