"""Energy, power, memory, clocks and throttling of NVIDIA GPUs (adapter: pynvml).

Source: NVML API reference, nvmlDeviceGetTotalEnergyConsumption (mJ since the driver was loaded),
nvmlDeviceGetPowerUsage (mW), nvmlClocksEventReasons. Troubles are heat and supply: an idle GPU, a
user's clock setting, or its own power limit, which every busy GPU meets, are none.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

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

    def __init__(self, devices: Sequence[int | str] = (0,)) -> None:
        """Open the driver's library; a device is its index, or its UUID.

        Raises:
            MeasurementError: there is none, or no such device.
        """
        try:
            pynvml.nvmlInit()
            self._handles = [_handle(device) for device in devices]
        except pynvml.NVMLError as error:
            raise MeasurementError(
                f"NVML does not answer for GPUs {list(devices)}: {error}"
            ) from error

    def read(self) -> Reading:
        """Read once; what one of the devices does not report is left out, never 0."""
        at_ns = time.monotonic_ns()
        energy_mj = self._each(pynvml.nvmlDeviceGetTotalEnergyConsumption)
        power_mw = self._each(pynvml.nvmlDeviceGetPowerUsage)
        clocks, used = self._each(_clock), self._each(_memory)
        counters = {"energy_j": sum(energy_mj) / MJ_PER_J} if energy_mj else {}
        gauges = {
            **({"power_w": sum(power_mw) / MW_PER_W} if power_mw else {}),
            **({"clock_mhz": fmean(clocks)} if clocks else {}),
            **({"device_bytes": sum(used)} if used else {}),
        }
        troubles = {words for handle in self._handles for words in _troubles(handle)}
        return Reading(at_ns, counters, gauges, tuple(sorted(troubles)))

    def _each(self, read: Callable[[object], float]) -> list[float]:
        """Ask every device; nothing where one of them does not answer."""
        try:
            return [float(read(handle)) for handle in self._handles]
        except pynvml.NVMLError:
            return []


def visible_devices(environment: Mapping[str, str], count: int) -> tuple[int | str, ...]:
    """Return the first GPUs that an engine with this environment sees, as it numbers them.

    Example: CUDA_VISIBLE_DEVICES "3,1" and a tensor parallelism of 1 is GPU 3.
    """
    named = environment.get("CUDA_VISIBLE_DEVICES", "").strip()
    if not named:
        return tuple(range(count))
    names = [name.strip() for name in named.split(",")]
    return tuple(int(name) if name.isdecimal() else name for name in names[:count])


def _handle(device: int | str) -> object:
    if isinstance(device, str):
        return pynvml.nvmlDeviceGetHandleByUUID(device)
    return pynvml.nvmlDeviceGetHandleByIndex(device)


def _clock(handle: object) -> float:
    return float(pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM))


def _memory(handle: object) -> float:
    return float(pynvml.nvmlDeviceGetMemoryInfo(handle).used)


def _troubles(handle: object) -> set[str]:
    try:
        bits = int(pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle))
    except pynvml.NVMLError:
        return {"its state is unknown"}
    return {words for bit, words in THROTTLING.items() if bits & bit}
