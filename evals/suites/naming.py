"""How a study names its suites: ours by id, a file of one's own, or a task of lm-eval.

Example: `suites: [mmlu, {own: support.jsonl}, {lm_eval: arc_easy}]`.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evals.suites import SUITES
from evals.suites.item import Suite
from evals.suites.own_items import own_suite
from evals.suites.written import WrittenSuite
from variants.errors import StudyError

OWN, LM_EVAL = "own", "lm_eval"
Entry = str | dict[str, str]
Named = Suite | WrittenSuite


def require_entry(entry: Entry) -> None:
    """Look whether an entry can name a suite, without reading a file or loading a task.

    Raises:
        StudyError: it cannot; says what can.
    """
    if isinstance(entry, str):
        if entry not in SUITES:
            raise StudyError(f"unknown suite {entry!r}; {_known()}")
        return
    kinds = list(entry)
    if len(kinds) != 1 or kinds[0] not in (OWN, LM_EVAL) or not entry[kinds[0]]:
        raise StudyError(f"a suite cannot be named by {entry}; {_known()}")


def rooted(entry: Entry, folder: Path) -> Entry:
    """Return an entry that names a file from anywhere; a relative path is taken from `folder`."""
    if isinstance(entry, str) or OWN not in entry:
        return entry
    return {OWN: str((folder / entry[OWN]).resolve())}


def suite_of(entry: Entry) -> Named:
    """Return the suite that an entry names.

    A file is read anew each time, so one that has changed gives another suite.

    Raises:
        StudyError: nothing is named so, or what is named is not as it should be.
        MeasurementError: a task's data set cannot be reached.
    """
    require_entry(entry)
    if isinstance(entry, str):
        return SUITES[entry]
    ((kind, name),) = entry.items()
    return own_suite(Path(name)) if kind == OWN else _task_of(name)


def named(entries: Sequence[Entry]) -> tuple[tuple[Entry, Named], ...]:
    """Return each entry of a study with the suite it names.

    Raises:
        StudyError: as for `suite_of`.
    """
    return tuple((entry, suite_of(entry)) for entry in entries)


@cache
def _task_of(name: str) -> Suite:
    from evals.suites.named_task import named_task  # noqa: PLC0415  (lm-eval takes seconds to load)

    return named_task(name)


def _known() -> str:
    return (
        f"name one of {', '.join(SUITES)}; or give a file of your own, {{{OWN}: FILE.jsonl}}; or a "
        f"task of lm-eval, {{{LM_EVAL}: NAME}}"
    )
