"""The index of a home: every study and its runs, and every channel with its champion.

`python -m reports.index [--to FOLDER]` writes `index.html`; a run that ends writes it too.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from reports.across.champions import champion_part, champions
from reports.across.linking import Links
from reports.across.past import PastRun, minute, past_runs
from reports.across.studies import by_study, study_parts
from reports.as_html import as_html
from reports.content import Content
from reports.words.summary import Fact, Summary
from variants.command import ended
from variants.errors import LedgerError
from variants.home import Home
from variants.kept.durable import write_bytes


def write_index(home: Home, folder: Path | None = None) -> Path:
    """Write the index beside the reports, or into another folder, which it links from.

    Raises:
        LedgerError: there is no run in this home.
    """
    runs = past_runs(home)
    if not runs:
        raise LedgerError(f"there is no run in {home.root}; run a study, or set TOUCHSTONE_HOME")
    links = Links(home, folder or home.reports)
    path = links.folder / "index.html"
    write_bytes(path, as_html(index_of(runs, links)).encode())
    return path


def index_of(runs: Sequence[PastRun], links: Links) -> Content:
    """Return what the index says."""
    return Content(
        kind="index of studies",
        subject="Touchstone",
        summary=_summary(runs, champions(links.home)),
        parts=(champion_part(runs, links), *study_parts(runs, links)),
        footer=f"Written {datetime.now(UTC).isoformat(timespec='seconds')} from evidence.",
    )


def _summary(runs: Sequence[PastRun], standing: Sequence[str]) -> Summary:
    num_studies = len(by_study(runs))
    num_decided = sum(len(run.decisions) for run in runs)
    return Summary(
        headline=f"{_counted(num_studies, 'study', 'studies')}, {_counted(len(runs), 'run')}",
        counts=f"Champion now: {', '.join(standing) or 'none'}.",
        facts=(
            Fact("Decisions", f"{num_decided:,}"),
            Fact("Last run", runs[0].name),
            Fact("Begun", f"{minute(runs[0].began_at)} UTC" if runs[0].began_at else "unknown"),
        ),
    )


def _counted(num: int, one: str, many: str = "") -> str:
    return f"{num:,} {one if num == 1 else many or one + 's'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the index of all studies and runs of a home. Exit codes: 0, 1 error."""
    parser = argparse.ArgumentParser(prog="python -m reports.index", description=main.__doc__)
    parser.add_argument("--to", type=Path, help="folder; default: where the reports lie")
    asked = parser.parse_args(arguments)
    return ended(lambda: _write(asked.to), error_code=1)


def _write(folder: Path | None) -> int:
    print(write_index(Home.from_environment(), folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
