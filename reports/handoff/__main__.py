"""Hand over what a run promoted: `python -m reports.handoff RUN [--to FOLDER]`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.handoff.folder import FORMATS, hand_off
from variants.command import ended
from variants.home import Home


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a folder that deploys what a run promoted. Exit codes: 0, 1 an error."""
    parser = argparse.ArgumentParser(prog="python -m reports.handoff", description=main.__doc__)
    parser.add_argument("run", help="name of a run that promoted something")
    parser.add_argument("--to", type=Path, help="folder; default: handoffs/RUN of the home")
    asked = parser.parse_args(arguments)
    return ended(lambda: _write(asked.run, asked.to), error_code=1)


def _write(run: str, to: Path | None) -> int:
    home = Home.from_environment()
    folder = hand_off(home, run, to or home.handoff(run))
    print(f"{folder}: serve.sh, README.md, and files for {', '.join(list(FORMATS)[1:])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
