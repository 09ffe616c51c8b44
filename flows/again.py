"""The commands that run a study again, go on with a run, and tell it again.

A study that was changed on the way, or that lies in a file of its user, is not what its name
stands for: it is then asked for by a file, to be written from what the report shows.

Worked example: `smollm2-cpu` judged by another policy is `python -m flows.qualify smollm2-cpu
--policy standard`, since the name alone would ask the study's own policy.
"""

from pathlib import Path

from evals.study import Study
from evals.study_file import load_study, under_policy
from variants.errors import StudyError

WRITTEN = "study.yaml"
REMARK = f"  # {WRITTEN}: the study under Raw configuration"


def commands_of(study: Study, run: str, folder: Path) -> list[str]:
    """Say how to run the study again, how to go on with this run, and how to tell it again."""
    asked, remark = asked_as(study, folder)
    return [
        f"python -m flows.qualify {asked}{remark}",
        f"python -m flows.qualify {asked} --resume {run}{remark}",
        f"python -m reports.export {run}",
        f"python -m reports.page {run}",
    ]


def asked_as(study: Study, folder: Path) -> tuple[str, str]:
    """Return a command's words that load exactly this study, and what is to be remarked on them."""
    try:
        named = load_study(study.name, folder)
        if named == study:
            return study.name, ""
        if under_policy(named, study.policy) == study:
            return f"{study.name} --policy {study.policy}", ""
    except StudyError:
        pass  # no study of ours has this name, or no policy that one
    return WRITTEN, REMARK
