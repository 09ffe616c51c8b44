"""The most memory that this process has held at one time.

`ru_maxrss` will not do where it can be helped: the kernel carries over what the parent held when it
started this process (fs/exec.c, exec_mmap), so a small child of a large parent looks large. VmHWM
starts anew with the program.
"""

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_host_bytes(status: Path = STATUS) -> int:
    """Return the peak of resident memory, in bytes; elsewhere than on Linux by `ru_maxrss`."""
    if status.is_file():
        for line in status.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name == "VmHWM":
                return int(value.split()[0]) * 1024  # "kB" is 1,024 bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # bytes there, kilobytes elsewhere
