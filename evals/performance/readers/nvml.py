"""Energy, power, memory, clocks and throttling of NVIDIA GPUs (adapter: pynvml).

Source: NVML API reference, nvmlDeviceGetTotalEnergyConsumption (mJ since the driver was loaded),
nvmlDeviceGetPowerUsage (mW), nvmlClocksEventReasons. Troubles are heat and supply: an idle GPU, a
user's clock setting, or its own power limit, which every busy GPU meets, are none.
"""

import time
from collections.abc import Sequence

import pynvml

from evals.performance.telemetry import Reading
from variants.errors import MeasurementError

MJ_PER_J, MW_PER_W = 1000, 1000
THROTTLING = {  # bit of the event reasons -> in words
    0x0000000000000008: "hardware slowdown",
    0x0000000000000020: "software thermal slowdown",
    0x0000000000000040: "hardware thermal slowdown",
    0x0000000000000080: "power brake",
}


class NvmlReader:
    """Reads the given devices, and sums over them."""

    def __init__(self, devices: Sequence[int] = (0,)) -> None:
        """Open the driver's library.

        Raises:
            MeasurementError: there is none, or no such device.
        """
        try:
            pynvml.nvmlInit()
            self._handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in devices]
        except pynvml.NVMLError as error:
            raise MeasurementError(
                f"NVML does not answer for GPUs {list(devices)}: {error}"
            ) from error

    def read(self) -> Reading:
        """Read once; what a device does not report is left out, never 0."""
        counters: dict[str, float] = {}
        gauges: dict[str, float] = {}
        troubles: set[str] = set()
        for handle in self._handles:
            _add(counters, "energy_j", pynvml.nvmlDeviceGetTotalEnergyConsumption, handle, MJ_PER_J)
            _add(gauges, "power_w", pynvml.nvmlDeviceGetPowerUsage, handle, MW_PER_W)
            _add(gauges, "clock_mhz", _clock, handle, len(self._handles))
            _add(gauges, "device_bytes", _memory, handle, 1)
            troubles |= _troubles(handle)
        return Reading(time.monotonic_ns(), counters, gauges, tuple(sorted(troubles)))


def _add(values: dict[str, float], name: str, read: object, handle: object, divisor: int) -> None:
    assert callable(read), "NVML functions are called with a handle"
    try:
        values[name] = values.get(name, 0.0) + float(read(handle)) / divisor
    except pynvml.NVMLError:
        values.pop(name, None)  # a sum over some devices would be too low


def _clock(handle: object) -> float:
    return float(pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM))


def _memory(handle: object) -> float:
    return float(pynvml.nvmlDeviceGetMemoryInfo(handle).used)


def _troubles(handle: object) -> set[str]:
    try:
        bits = int(pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle))
    except pynvml.NVMLError:
        return set()
    return {words for bit, words in THROTTLING.items() if bits & bit}
