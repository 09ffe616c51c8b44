"""How do the runs of a home stand? `python -m reports.status [RUN]`.

Read from what each run leaves as it goes: no server is asked, no ledger opened. What is left of a
run is told from how long earlier runs of the same study took, where there are any.

Example: three ended runs of a study took 50, 60 and 70 minutes; one that began 45 minutes ago has
about 15 left.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from evals.study_file import variant_specs
from reports.across.past import PastRun, minute, past_runs
from reports.kept.timeline import Timeline
from variants.command import ended
from variants.errors import LedgerError
from variants.home import Home

ENDED = {0: "promoted or confirmed", 10: "all rejected", 20: "on hold"}
QUIET_S = 900.0  # longer than any stage of ours says nothing: an engine may compile that long
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """How one run stands."""

    run: PastRun
    decided: int
    num_variants: int | None
    said_at: datetime | None  # when it last left something
    left_s: float | None  # by earlier runs of its study; None: there are none, or it has ended

    def words(self, at: datetime) -> str:
        """Say it in one line."""
        of = f" of {self.num_variants}" if self.num_variants is not None else ""
        told = f"{self.run.name}: {self.decided}{of} variants decided"
        if self.run.end is not None:
            return f"{told}, ended {minute(self.run.end.ended_at)}: {_how(self.run.end.exit_code)}"
        if self.said_at is None:
            return f"{told}, nothing was left by it"
        quiet = (at - self.said_at).total_seconds()
        if quiet > QUIET_S:
            return f"{told}, stopped at {minute(self.said_at)}; go on with --resume {self.run.name}"
        left = "" if self.left_s is None else f", about {self.left_s / 60:.0f} minutes left"
        return f"{told}, under way: said something {quiet:.0f} s ago{left}"


def standings(home: Home, at: datetime) -> Iterator[Standing]:
    """Tell every run of a home, the newest first."""
    runs = past_runs(home)
    for run in runs:
        specs = variant_specs(run.study) if run.study else None
        yield Standing(
            run=run,
            decided=len(run.decisions),
            num_variants=len(specs) if specs is not None else None,
            said_at=_said_at(home, run.name),
            left_s=_left(run, runs, at),
        )


def _left(run: PastRun, runs: Sequence[PastRun], at: datetime) -> float | None:
    took = [
        (_moment(one.end.ended_at) - _moment(one.end.started_at)).total_seconds()
        for one in runs
        if one.end is not None and one.study_name == run.study_name
    ]
    if run.end is not None or run.began_at is None or not took:
        return None
    return max(0.0, median(took) - (at - run.began_at).total_seconds())


def _said_at(home: Home, run: str) -> datetime | None:
    """Return when a run's newest file was written: evidence, logs, stages."""
    folders = (home.store / "evidence" / run, home.run(run))
    times = [path.stat().st_mtime for folder in folders for path in _files(folder)]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _how(code: int) -> str:
    return ENDED.get(code, f"exit code {code}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Say how the newest runs stand, or one of them stage by stage. Exit codes: 0, 1 an error."""
    parser = argparse.ArgumentParser(prog="python -m reports.status", description=main.__doc__)
    parser.add_argument("run", nargs="?", help="name of one run")
    asked = parser.parse_args(arguments)
    return ended(lambda: _tell(asked.run), error_code=1)


def _tell(name: str | None) -> int:
    home, at = Home.from_environment(), datetime.now(UTC)
    found = [one for one in standings(home, at) if name in (None, one.run.name)]
    if name is not None and not found:
        raise LedgerError(f"no run {name!r} in {home.root}; leave the name out to see all")
    for one in found[:SHOWN]:
        print(one.words(at))
    if name is not None:
        print("\n".join(_stages(home, found[0].run)))
    return 0


def _stages(home: Home, run: PastRun) -> Iterator[str]:
    for decision in run.decisions.values():
        yield f"  {decision.variant}: {decision.outcome}, {decision.reason}"
    for stage in Timeline(home.run(run.name) / "stages.jsonl").stages():
        yield f"  {stage.name:<20} {stage.seconds:8.1f} s"


if __name__ == "__main__":
    sys.exit(main())
