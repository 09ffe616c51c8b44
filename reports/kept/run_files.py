"""What a run has left beside its measurements: study, decisions, promotions, beginning and end.

Read from the run's folder and the store's evidence alone: no ledger is opened, so that a run can
be told while another process holds it. What does not verify, or was written by a version that knew
other fields, is an error that names the file.
"""

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from evals.gates.decision import Decision
from evals.results import Result
from evals.study import Study
from reports.kept.entries import Promotion, RunEnd, Setting
from variants.command import in_one_line
from variants.errors import LedgerError
from variants.home import Home
from variants.kept.evidence import EvidenceFile
from variants.kept.store import Store

EntryT = TypeVar("EntryT", bound=Result)
STUDY_FILE = "study.json"
NUM_TOLD = 5  # runs named to who asks for one that is not there
# Where what is kept of an entry is filed.
STEPS: dict[type[Result], str] = {
    Decision: "entry.decision",
    Promotion: "entry.promotion",
    RunEnd: "entry.end",
    Setting: "entry.setting",
}


def run_names(home: Home) -> list[str]:
    """Name every run that has a study, in order of its folder's name."""
    return sorted(path.parent.name for path in home.run("x").parent.glob(f"*/{STUDY_FILE}"))


def study_of(home: Home, run: str) -> Study:
    """Read the study as the run was begun with it.

    Raises:
        LedgerError: no such run, or its study cannot be read.
    """
    path = home.run(run) / STUDY_FILE
    if Path(run).name != run or not path.is_file():
        raise LedgerError(f"no run {run!r} in {home.root}; there are {run_names(home)[-NUM_TOLD:]}")
    return _parsed(Study, path, path.read_text(encoding="utf-8"))


def entries_of(home: Home, run: str, kind: type[EntryT]) -> list[EntryT]:
    """Return all entries of one kind in the order of filing.

    Raises:
        LedgerError: one does not verify, or cannot be read by this version.
    """
    found = Store(home.store).evidence(run, step=STEPS[kind])
    files = sorted(found, key=lambda file: file.path.stat().st_mtime)
    return [_entry(kind, file) for file in files]


def decisions_of(home: Home, run: str) -> dict[str, Decision]:
    """Return the last decision on each variant: a resumed run judges again.

    Raises:
        LedgerError: one does not verify, or cannot be read by this version.
    """
    return {decision.variant: decision for decision in entries_of(home, run, Decision)}


def last_of(home: Home, run: str, kind: type[EntryT]) -> EntryT | None:
    """Return the entry of one kind that was filed last, if there is one.

    Raises:
        LedgerError: one does not verify, or cannot be read by this version.
    """
    return next(reversed(entries_of(home, run, kind)), None)


def _entry(kind: type[EntryT], file: EvidenceFile) -> EntryT:
    if file.text is None:
        raise LedgerError(
            f"{file.path} does not verify: {file.problem or 'its bytes are not what its name says'}"
            "; restore it, or judge again with --resume"
        )
    return _parsed(kind, file.path, file.text)


def _parsed(kind: type[EntryT], path: Path, text: str) -> EntryT:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise LedgerError(
            f"{path} is no {kind.__name__} that this version can read "
            f"({in_one_line(error)[:300]}); read it with the version that wrote it, "
            "or judge again with --resume"
        ) from error
