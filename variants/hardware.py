"""What this target is: processor, instruction sets, memory, accelerators, system.

Read from /proc, the cgroup and nvidia-smi; what cannot be read is None or empty, never guessed.
"""

import csv
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from variants.errors import EngineError

Target = Literal["cpu", "cuda"]

# Instruction sets that decide which kernels an engine picks (oneDNN's ISA list, vLLM's CPU build).
KERNEL_FLAGS = frozenset(
    (
        *("avx2", "avx512f", "avx512bw", "avx512_bf16", "avx512_vnni", "avx512_fp16", "avx_vnni"),
        *("amx_bf16", "amx_int8", "amx_tile", "asimd", "asimddp", "bf16", "i8mm", "sve"),
    )
)
QUERY = ("name", "memory.total", "driver_version", "uuid", "compute_cap")


class Accelerator(BaseModel):
    """One GPU as its driver reports it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    memory_bytes: int = Field(ge=0)
    driver: str
    uuid: str
    compute_capability: str = Field(description="for instance 9.0")


class Hardware(BaseModel):
    """One machine, as a certificate binds it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    target: Target
    cpu_model: str
    num_cores: int = Field(ge=1, description="cores this process may use")
    cpu_flags: tuple[str, ...] = Field(description="instruction sets that decide kernels, sorted")
    memory_bytes: int = Field(ge=1, description="host memory, or the cgroup's limit if less")
    accelerators: tuple[Accelerator, ...] = ()
    os: str
    python: str


def describe(target: Target) -> Hardware:
    """Describe the machine this runs on."""
    model, flags = read_cpu(Path("/proc/cpuinfo"))
    return Hardware(
        target=target,
        cpu_model=model or platform.processor() or platform.machine(),
        num_cores=len(os.sched_getaffinity(0)),
        cpu_flags=flags,
        memory_bytes=read_memory_bytes(Path("/sys/fs/cgroup/memory.max")),
        accelerators=list_accelerators(),
        os=platform.platform(),
        python=platform.python_version(),
    )


def require(target: Target) -> Hardware:
    """Describe the machine, if it has what the target asks for.

    Raises:
        EngineError: the target is cuda and no GPU answers.
    """
    hardware = describe(target)
    if target == "cuda" and not hardware.accelerators:
        raise EngineError(
            "target 'cuda' asks for a GPU and nvidia-smi names none on this machine; "
            "install the driver, run on a machine with a GPU, or set target: cpu"
        )
    return hardware


def read_cpu(cpuinfo: Path) -> tuple[str, tuple[str, ...]]:
    """Read the processor's name and its kernel-deciding flags; empty where there is no file."""
    if not cpuinfo.is_file():
        return "", ()
    pairs = [line.partition(":") for line in cpuinfo.read_text(encoding="utf-8").splitlines()]
    fields = {key.strip(): value.strip() for key, _, value in reversed(pairs)}
    flags = set((fields.get("flags") or fields.get("Features") or "").split())
    return fields.get("model name", ""), tuple(sorted(flags & KERNEL_FLAGS))


def read_memory_bytes(cgroup_limit: Path) -> int:
    """Return the memory this process may use: the host's, or its cgroup's limit if that is less."""
    host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    text = cgroup_limit.read_text(encoding="utf-8").strip() if cgroup_limit.is_file() else "max"
    return min(host, int(text)) if text.isdigit() else host


def list_accelerators() -> tuple[Accelerator, ...]:
    """Ask nvidia-smi for the GPUs; () where it is absent or its driver does not answer."""
    if shutil.which("nvidia-smi") is None:
        return ()
    command = ["nvidia-smi", f"--query-gpu={','.join(QUERY)}", "--format=csv,noheader,nounits"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return ()
    return parse_accelerators(result.stdout) if result.returncode == 0 else ()


def parse_accelerators(output: str) -> tuple[Accelerator, ...]:
    """Parse nvidia-smi's table, in the order of QUERY; memory is in MiB, one GPU a line."""
    rows = [row for row in csv.reader(output.splitlines(), skipinitialspace=True) if row]
    return tuple(
        Accelerator(
            name=row[0],
            memory_bytes=int(row[1]) << 20 if row[1].isdigit() else 0,
            driver=row[2],
            uuid=row[3],
            compute_capability=row[4],
        )
        for row in rows
        if len(row) == len(QUERY)
    )
