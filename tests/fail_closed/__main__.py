"""Print the table: input, expected outcome, outcome. `make fail-closed`; 1 if any disagrees."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fail_closed.path import healthy, judge
from tests.fail_closed.table import CASES


def main() -> int:
    """Judge every case through stored evidence."""
    argparse.ArgumentParser(prog="python -m tests.fail_closed", description=__doc__).parse_args()
    width = max(len(case.name) for case in CASES)
    num_wrong = 0
    print(f"{'input':<{width}}  expected        outcome   why")
    for case in CASES:
        stored = healthy()
        case.spoil(stored)
        with tempfile.TemporaryDirectory() as folder:
            found = judge(stored, Path(folder))
        num_wrong += not case.is_met(found)
        mark = "" if case.is_met(found) else "  <-- WRONG"
        said = f"{found.outcome:<8}  {found.reason:.110}{mark}"
        print(f"{case.name:<{width}}  {case.expected:<14}  {said}")
    print(f"\n{len(CASES)} inputs, {num_wrong} disagree; the first is the healthy control")
    return 1 if num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
