"""Make the ledger again from evidence: `python -m reports.rebuild [--home FOLDER]`.

The old file, if there is one, is kept beside the new one, under the time of the rebuild.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from reports.ledger import check_free, rebuild
from variants.command import ended
from variants.errors import LedgerError
from variants.home import Home


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild the ledger of a home; every record's digest is verified. Exit codes: 0, 1 error."""
    parser = argparse.ArgumentParser(prog="python -m reports.rebuild", description=__doc__)
    parser.add_argument("--home", help="default: TOUCHSTONE_HOME, or .touchstone/ here")
    options = parser.parse_args(arguments)
    return ended(lambda: _rebuild(_home(options.home)), error_code=1)


def _home(given: str | None) -> Home:
    if given is None:
        return Home.from_environment()
    if not given or not Path(given).is_dir():
        raise LedgerError(f"--home {given!r} is no folder; give the one that TOUCHSTONE_HOME names")
    return Home(Path(given).resolve())


def _rebuild(home: Home) -> int:
    files = sorted(
        (home.store / "evidence").glob("*/*/*.json"), key=lambda file: file.stat().st_mtime
    )
    if not files:
        raise LedgerError(f"{home.store} holds no evidence; the ledger was left as it is")
    try:
        with FileLock(home.ledger.with_suffix(".rebuild-lock"), timeout=0):
            _replace(home, files)
    except Timeout:
        raise LedgerError(f"another rebuild of {home.ledger} is going on; wait for it") from None
    print(f"{home.ledger}: rebuilt from {len(files)} pieces of evidence")
    return 0


def _replace(home: Home, files: list[Path]) -> None:
    """Write the new file whole, then put it in the place of the old."""
    check_free(home.ledger)
    fresh = home.ledger.with_suffix(".rebuilt")
    fresh.unlink(missing_ok=True)
    try:
        rebuild(fresh, files)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    check_free(home.ledger)  # nobody may have opened it meanwhile: what is written would be lost
    if home.ledger.exists():
        at = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        home.ledger.with_suffix(f".before-{at}").hardlink_to(home.ledger)
    fresh.replace(home.ledger)


if __name__ == "__main__":
    sys.exit(main())
