"""A case: everything a decision was made from, in one file that is judged anywhere.

`python -m reports.export RUN` writes one per variant; `python -m evals.gates judge FILE` decides it
again, without a server, a ledger or a model.
"""

from datetime import datetime
from pathlib import Path

from pydantic import Field, ValidationError

from evals.gates.decision import Decision, decide
from evals.gates.policy import Policy
from evals.gates.waiver import Moment, Waiver, Waivers
from evals.results import Evidence, Result
from evals.study import Study
from variants.errors import StudyError


class Case(Result):
    """Study, policy, evidence and waivers of one variant."""

    study: Study
    policy: Policy
    evidence: Evidence
    waivers: tuple[Waiver, ...] = ()
    at: Moment | None = Field(default=None, description="when the waivers were asked")


def read_case(file: Path) -> Case:
    """Read an exported case.

    Raises:
        StudyError: it cannot be read, or is no case.
    """
    try:
        return Case.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{file} cannot be read ({error}); give an exported case") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "file"
        raise StudyError(
            f"{file} is no case: {where}: {first['msg']} ({error.error_count()} errors); "
            "export one with `python -m reports.export RUN`"
        ) from error


def judge_case(case: Case, policy: Policy | None = None) -> Decision:
    """Decide a case, under its own policy or another."""
    waivers = Waivers(case.waivers, datetime.fromisoformat(case.at)) if case.at else Waivers()
    return decide(case.study, policy or case.policy, case.evidence, waivers)
