"""Keep a home in order: what nobody needs goes, what has expired is announced.

`python -m flows.housekeeping [--days 30] [--dry-run]`
"""

import argparse

from prefect import flow

from reports.garbage import DAYS
from tasks.tidy import look_at_certificates, tidy
from variants.home import Home


@flow(name="housekeeping", log_prints=True)
def housekeeping(days: int = DAYS, dry_run: bool = False) -> int:
    """Free the disk of artifacts that nobody needs; returns the bytes freed.

    Args:
        days: younger artifacts are kept, whoever needs them.
        dry_run: say what would go, and remove nothing.
    """
    home = Home.from_environment()
    num_bytes = tidy(home, days, dry_run)
    num_lapsed = look_at_certificates(home)
    verb = "would be freed" if dry_run else "freed"
    print(f"{num_bytes:,} bytes {verb}; {num_lapsed} certificates have expired")
    return num_bytes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m flows.housekeeping", description=__doc__)
    parser.add_argument("--days", type=int, default=DAYS, help="younger artifacts are kept")
    parser.add_argument("--dry-run", action="store_true", help="say what would go")
    asked = parser.parse_args()
    housekeeping(asked.days, asked.dry_run)
