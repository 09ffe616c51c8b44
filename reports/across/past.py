"""Every run of a home, as its entries tell it: when, what was decided, what was promoted.

Of a run only the entries are read (decisions, promotions, beginning, end), not the measurements:
a home of hundreds of runs is told in seconds. They are evidence; the ledger, which another process
may hold, is not opened. What cannot be read is named beside the run, never left out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from evals.gates.decision import Decision
from evals.study import Study
from reports.kept.entries import Promotion, RunEnd, Setting
from reports.kept.run_files import decisions_of, entries_of, last_of, run_names, study_of
from variants.errors import LedgerError
from variants.home import Home

STAMP = re.compile(r"-(\d{8}T\d{6})-[0-9a-f]+$")  # ends the name of a run
ReadT = TypeVar("ReadT")


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run; what it left unwritten is None or empty."""

    name: str
    study: Study | None
    began_at: datetime | None
    end: RunEnd | None
    decisions: dict[str, Decision]
    promotions: tuple[Promotion, ...]
    problems: tuple[str, ...] = ()

    @property
    def study_name(self) -> str:
        """Name the study; of a run whose study cannot be read, by what its name begins with."""
        return self.study.name if self.study else STAMP.sub("", self.name)

    @property
    def promoted(self) -> Promotion | None:
        """Return the last move of a channel in this run that stood."""
        standing = [one for one in self.promotions if one.action != "rollback"]
        last = self.promotions[-1] if self.promotions else None
        return standing[-1] if standing and last and last.action != "rollback" else None


def past_runs(home: Home) -> tuple[PastRun, ...]:
    """Read every run of a home, the newest first; those of unknown age come last."""
    runs = [_read(home, name) for name in run_names(home)]
    oldest = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(runs, key=lambda run: run.began_at or oldest, reverse=True))


def _read(home: Home, name: str) -> PastRun:
    problems: list[str] = []

    def tried(read: Callable[[], ReadT], without: ReadT) -> ReadT:
        try:
            return read()
        except LedgerError as error:
            problems.append(str(error))
            return without

    end = tried(lambda: last_of(home, name, RunEnd), None)
    setting = tried(lambda: last_of(home, name, Setting), None)
    return PastRun(
        name=name,
        study=tried(lambda: study_of(home, name), None),
        began_at=_began(name, end, setting),
        end=end,
        decisions=tried(lambda: decisions_of(home, name), {}),
        promotions=tuple(tried(lambda: entries_of(home, name, Promotion), [])),
        problems=tuple(problems),
    )


def _began(name: str, end: RunEnd | None, setting: Setting | None) -> datetime | None:
    """Take what was written down, or the time in the run's name, which is UTC."""
    told = setting.at if setting else end.started_at if end else None
    if told is not None:
        return _utc(datetime.fromisoformat(told))
    found = STAMP.search(name)
    return datetime.strptime(found[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) if found else None


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def minute(moment: datetime | str | None) -> str:
    """Read a moment to the minute, in UTC."""
    if moment is None:
        return "not recorded"
    known = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return f"{_utc(known):%Y-%m-%d %H:%M}"
