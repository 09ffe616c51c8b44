"""Run a builder and say what making cost: seconds by stage, memory of host and device.

It runs in the builder's own process. A builder marks its libraries' work with `stage`, so that what
is left of the wall time is ours:

    with stage("load"):
        model = AutoModelForCausalLM.from_pretrained(...)

Example: int8 of SmolLM2-135M, in seconds of processor: import 6.67, load .52, oneshot 1.07, save
.95, exit 1.55; .19 s of 10.95 are ours: 1.7 %.

Memory that runs out is a fault of the machine, never of the recipe: it is told as such, with the
stage, and no verdict is kept of it.
"""

import contextlib
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from variants.errors import BuildError
from variants.running.peak import peak_host_bytes

STAGES: dict[str, float] = {}  # of this process, which makes one artifact
NOW: list[str] = []  # stages entered and not left
# Words of torch's allocators and of the system's, where an exception's type does not tell.
OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "cannot allocate memory", "bad alloc")


@contextlib.contextmanager
def stage(name: str) -> Iterator[None]:
    """Count the seconds of a library's work; a stage inside another is counted once, as its own."""
    started = time.monotonic()
    before = sum(STAGES.values())
    NOW.append(name)
    yield
    NOW.pop()
    inside = sum(STAGES.values()) - before
    STAGES[name] = STAGES.get(name, 0.0) + time.monotonic() - started - inside


def make(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call `module:function`, a builder, and add what it cost to what it says.

    Raises:
        BuildError: memory ran out; what else a builder raises passes through.
    """
    module, name = function.split(":")
    builder: Callable[..., dict[str, Any]] = getattr(importlib.import_module(module), name)
    try:
        made = builder(**arguments)
    except Exception as problem:
        if is_out_of_memory(problem):
            raise BuildError(_told(function, problem)) from problem
        raise
    return made | cost()


def cost() -> dict[str, Any]:
    """Return what this process has spent so far; what is not there to be read is left out."""
    devices = _device_bytes()
    told: dict[str, Any] = {
        "peak_host_bytes": peak_host_bytes(),
        "num_devices": max(1, len(devices)),
        "stage_seconds": dict(STAGES),
        "made_at": time.monotonic(),  # one clock for all processes of a machine
    }
    return told | ({"peak_device_bytes": sum(devices)} if devices else {})


def _device_bytes() -> list[int]:
    """Return the peak of each device that holds anything; torch is asked if a builder loaded it."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return []
    peaks = [torch.cuda.max_memory_allocated(i) for i in range(torch.cuda.device_count())]
    return [int(peak) for peak in peaks if peak]


def is_out_of_memory(problem: BaseException | None) -> bool:
    """Whether an error, or any it was raised from, says that memory ran out."""
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        words = str(problem).lower()
        if isinstance(problem, MemoryError) or any(known in words for known in OUT_OF_MEMORY):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _told(function: str, problem: BaseException) -> str:
    at = f"at {NOW[0]}" if NOW else "outside of its libraries' work"
    return (
        f"memory ran out {at} ({function} had held {peak_host_bytes():,} bytes): {problem}; free "
        "memory, or build it on a machine with more: the recipe was not judged"
    )
