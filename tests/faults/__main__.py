"""Play every fault on the real engine, and print what came of it: `make faults`.

1 if any does not come out as expected, leaves a process behind, or loses or doubles a row.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.running import place
from tests.faults.table import FAULTS, Fault
from variants.home import Home

HEAD = ("fault", "expected", "processes left", "rows lost", "rows doubled", "outcome")


def main() -> int:
    """Play all, or those named."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    names = [fault.name for fault in FAULTS]
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help=f"of {names}")
    asked = parser.parse_args()
    engines = Home.from_environment().engines
    lines = []
    with tempfile.TemporaryDirectory(prefix="touchstone-faults-") as folder:
        for number, fault in enumerate(FAULTS):
            if not asked.only or fault.name in asked.only:
                lines.append(_line(fault, Path(folder) / str(number), engines))
                print(" | ".join(lines[-1]), flush=True)
    print("\n" + "\n".join(" | ".join(line) for line in (HEAD, *lines)))
    return 0 if all(line[-1].startswith("as expected") for line in lines) else 1


def _line(fault: Fault, root: Path, engines: Path) -> tuple[str, ...]:
    started = time.monotonic()
    with place(root, engines) as home:
        played = fault.play(home)
        left = home.survivors()
        lost, doubled = home.lost_and_doubled(played.run) if played.run else (0, 0)
    told = f"{played.told} ({time.monotonic() - started:.0f} s)"
    if left or lost or doubled:
        told = f"NOT as expected: {told} {left[:1]}"
    return (fault.name, fault.expected, str(len(left)), str(lost), str(doubled), told)


if __name__ == "__main__":
    sys.exit(main())
