import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from evals.performance.client.sending import Sender
from evals.performance.endpoint import Endpoint
from evals.performance.profile import Bench, Turn, measure_cell
from evals.performance.readers import nvml
from evals.performance.readers.process import ProcessReader
from evals.performance.telemetry import Reading, Taken, energy_per_token, taken
from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from tests.evals.performance.conftest import Serve
from variants.errors import MeasurementError

S = 1_000_000_000


def reading(at_s: float, cpu_s: float, rss: float, *troubles: str) -> Reading:
    return Reading(round(at_s * S), {"cpu_s": cpu_s}, {"rss_bytes": rss}, troubles)


def test_counters_are_scaled_to_the_window_and_memory_is_its_peak() -> None:
    """13.2 CPU seconds in 8.2 s are 1.61 cores."""
    found = taken(
        [reading(0, 10, 9e9), reading(0.9, 20, 5e9), reading(4, 27, 7e9), reading(9.1, 33.2, 6e9)],
        1 * S,
        9 * S,
    )
    assert found.values["engine_cpu_cores"] == pytest.approx(13.2 / 8.2)
    assert found.values["engine_rss_bytes"] == 7e9
    assert found.troubles == ()


def test_what_does_not_reach_around_the_window_is_unknown() -> None:
    assert taken([], 0, S) == Taken(is_missing=True)
    assert taken([reading(0.1, 1, 1), reading(2, 2, 1)], 0, S) == Taken(is_missing=True)


def test_a_counter_that_fell_counts_something_else() -> None:
    found = taken([reading(0, 10, 1), reading(2, 3, 1)], S // 2, S)
    assert "engine_cpu_cores" not in found.values


def test_energy_per_token_needs_both() -> None:
    assert energy_per_token({"device_energy_j": 600.0}, 300.0) == 2
    assert energy_per_token({}, 300.0) is None
    assert energy_per_token({"device_energy_j": 600.0}, None) is None
    assert energy_per_token({"device_energy_j": 600.0}, 0.0) is None


def test_processes_are_summed() -> None:
    me = psutil.Process(os.getpid())
    one, two = ProcessReader(lambda: [me]).read(), ProcessReader(lambda: [me, me]).read()
    assert two.gauges["rss_bytes"] > 1.5 * one.gauges["rss_bytes"] > 0
    assert two.counters["cpu_s"] >= 2 * one.counters["cpu_s"]


class Driver:
    """Two GPUs: counters in mJ and mW as NVML gives them; the second can be silent or hot."""

    NVML_CLOCK_SM = 1

    class NVMLError(Exception):
        pass

    def __init__(self, *, is_silent: bool = False, reasons: int = 0) -> None:
        self.is_silent, self.reasons = is_silent, reasons

    def nvmlInit(self) -> None:
        pass

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        if index > 1:
            raise self.NVMLError("Invalid Argument")
        return index

    def nvmlDeviceGetHandleByUUID(self, name: str) -> int:
        raise self.NVMLError(f"no {name}")

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: int) -> int:
        if handle == 0 and self.is_silent:
            raise self.NVMLError("Not Supported")
        return 5_000_000

    def nvmlDeviceGetPowerUsage(self, handle: int) -> int:
        return 300_000

    def nvmlDeviceGetClockInfo(self, handle: int, kind: int) -> int:
        return 1800

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> Any:
        return SimpleNamespace(used=40_000_000_000)

    def nvmlDeviceGetCurrentClocksEventReasons(self, handle: int) -> int:
        return self.reasons if handle else 0x4  # the other is at its own power limit


def test_gpus_are_summed_in_joules_and_watts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "pynvml", Driver())
    found = nvml.NvmlReader((0, 1)).read()
    assert found.counters == {"energy_j": 10_000}
    assert found.gauges == {"power_w": 600, "clock_mhz": 1800, "device_bytes": 80_000_000_000}
    assert found.troubles == ()


def test_a_gpu_that_does_not_report_leaves_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "pynvml", Driver(is_silent=True, reasons=0x40))
    found = nvml.NvmlReader((0, 1)).read()
    assert found.counters == {}
    assert found.troubles == ("hardware thermal slowdown",)


def test_an_engine_is_measured_on_the_gpus_that_it_sees() -> None:
    assert nvml.visible_devices({}, 2) == (0, 1)
    assert nvml.visible_devices({"CUDA_VISIBLE_DEVICES": "3,1"}, 1) == (3,)
    assert nvml.visible_devices({"CUDA_VISIBLE_DEVICES": "GPU-8a, GPU-9b"}, 2) == (
        "GPU-8a", "GPU-9b",
    )  # fmt: skip


def test_no_such_gpu_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "pynvml", Driver())
    with pytest.raises(MeasurementError, match=r"GPUs \[7\]: Invalid Argument"):
        nvml.NvmlReader((7,))


@pytest.mark.parametrize("trouble", ["", "power brake"])
def test_a_cell_carries_what_was_taken(trouble: str, serve: Serve, tmp_path: Path) -> None:
    class Meter:
        """Two watts, exactly."""

        def read(self) -> Reading:
            at_ns = time.monotonic_ns()
            troubles = (trouble,) if trouble else ()
            return Reading(at_ns, {"energy_j": 2 * at_ns / S}, {"power_w": 2.0}, troubles)

    cell = CellSpec(closed=1)
    workload = Workload(
        input_tokens=32, output_tokens=4, cells=(cell,), ramp_s=0.1, window_s=0.5, timeout_s=3
    )
    endpoint: Endpoint = serve(tpot_ms=5)
    plan = plan_cell(workload, cell, 1, 0, [(i * 7919) % 5000 for i in range(20_000)])
    with Sender(tmp_path) as sender:
        bench = Bench(endpoint, sender, Slo(), tmp_path, Meter())
        found = measure_cell(plan, Turn(0, "closed-1", 0, "baseline"), bench).cell
    assert found.metrics["device_energy_j"] == pytest.approx(1.0)
    tokens = (found.metrics["output_tokens_per_s"] or 0) * 0.5
    assert found.metrics["energy_j_per_token"] == pytest.approx(1.0 / tokens)
    assert any("throttled (power brake)" in why for why in found.invalid) == bool(trouble)
