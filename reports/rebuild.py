"""Make the ledger again from evidence: `python -m reports.rebuild [--home FOLDER]`.

The old file, if there is one, is kept beside the new one.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.ledger import rebuild
from variants.errors import LedgerError
from variants.home import Home


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild the ledger of a home; every record's digest is verified on the way."""
    parser = argparse.ArgumentParser(prog="python -m reports.rebuild", description=__doc__)
    parser.add_argument("--home", type=Path, help="default: TOUCHSTONE_HOME, or .touchstone/ here")
    options = parser.parse_args(arguments)
    home = Home(options.home.resolve()) if options.home else Home.from_environment()
    files = sorted(
        (home.store / "evidence").glob("*/*/*.json"), key=lambda file: file.stat().st_mtime
    )
    fresh = home.ledger.with_suffix(".rebuilt")
    fresh.unlink(missing_ok=True)
    try:
        rebuild(fresh, files)
    except LedgerError as error:
        fresh.unlink(missing_ok=True)
        parser.exit(1, f"error: {error}\n")
    if home.ledger.exists():
        home.ledger.replace(home.ledger.with_suffix(".before-rebuild"))
    fresh.replace(home.ledger)
    print(f"{home.ledger}: rebuilt from {len(files)} pieces of evidence")
    return 0


if __name__ == "__main__":
    sys.exit(main())
