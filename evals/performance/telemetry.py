"""What the engine took while a cell was sent: CPU and memory, or a GPU's energy, power and clocks.

Counters are deltas over the window, scaled to its length; gauges are means, memory its peak.

Example: 20.0 CPU seconds .1 s before a window of 8 s and 33.2 s .1 s after it are 13.2 / 8.2 = 1.61
cores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Protocol

from evals.performance.ticking import INTERVAL_S, Ticking

NS_PER_S = 1_000_000_000

TELEMETRY: dict[str, str] = {  # key of Cell.metrics -> definition
    "engine_cpu_cores": "CPU seconds of the engine's processes / second",
    "engine_rss_bytes": "peak resident memory of the engine's processes, sampled",
    "device_energy_j": "energy of the devices over the window",
    "device_power_w": "mean power of the devices",
    "device_bytes": "peak memory in use on the devices, sampled",
    "device_clock_mhz": "mean SM clock",
    "energy_j_per_token": "device_energy_j / output tokens that arrived inside the window",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One look; what could not be read is absent."""

    at_ns: int
    counters: Mapping[str, float]
    gauges: Mapping[str, float]
    troubles: tuple[str, ...] = ()


class Reader(Protocol):
    """Looks at processes or devices."""

    def read(self) -> Reading:
        """Read once."""
        ...


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken over one window; without a reader nothing is."""

    values: Mapping[str, float] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()
    is_missing: bool = False  # a reader was there, and its readings do not reach around the window


class TelemetrySampler(Ticking):
    """Keeps what a reader reads; without one there is nothing."""

    def __init__(self, reader: Reader | None, interval_s: float = INTERVAL_S) -> None:
        super().__init__("telemetry", interval_s)
        self._reader = reader
        self.readings: list[Reading] = []

    def look(self) -> None:
        """Read once."""
        if self._reader is not None:
            self.readings.append(self._reader.read())


def taken(readings: Sequence[Reading], start_ns: int, end_ns: int) -> Taken:
    """Reduce readings to a window; what they do not reach around is unknown."""
    before = [one for one in readings if one.at_ns <= start_ns][-1:]
    inside = [one for one in readings if start_ns < one.at_ns < end_ns]
    after = [one for one in readings if one.at_ns >= end_ns][:1]
    if not before or not after:
        return Taken(is_missing=True)
    used = [*before, *inside, *after]
    span_s = (used[-1].at_ns - used[0].at_ns) / NS_PER_S
    rates = {
        name: (used[-1].counters[name] - used[0].counters[name]) / span_s
        for name in used[0].counters
        if name in used[-1].counters and used[-1].counters[name] >= used[0].counters[name]
    }
    gauges = {
        name: [one.gauges[name] for one in used]
        for name in used[0].gauges
        if all(name in one.gauges for one in used)
    }
    troubles = tuple(sorted({words for one in inside for words in one.troubles}))
    return Taken(_named(rates, gauges, (end_ns - start_ns) / NS_PER_S), troubles)


def _named(
    rates: Mapping[str, float], gauges: Mapping[str, Sequence[float]], window_s: float
) -> dict[str, float]:
    values: dict[str, float] = {}
    if "cpu_s" in rates:
        values["engine_cpu_cores"] = rates["cpu_s"]
    if "energy_j" in rates:
        values["device_energy_j"] = rates["energy_j"] * window_s
    for name, key, reduce in (
        ("rss_bytes", "engine_rss_bytes", max),
        ("power_w", "device_power_w", fmean),
        ("device_bytes", "device_bytes", max),
        ("clock_mhz", "device_clock_mhz", fmean),
    ):
        if name in gauges:
            values[key] = reduce(gauges[name])
    return values


def energy_per_token(values: Mapping[str, float], output_tokens: float | None) -> float | None:
    """Divide the window's energy by the tokens that came in it; None where either is unknown."""
    energy_j = values.get("device_energy_j")
    return energy_j / output_tokens if energy_j is not None and output_tokens else None
