"""The writing tasks that instructions are added to, one family of prompts for each.

What prompts of one family share is the task, so they are won and lost together: the family is the
cluster of every interval.
"""

from functools import cache
from pathlib import Path

from pydantic import Field, ValidationError

from evals.results import Result
from evals.yaml_file import read_mapping
from variants.errors import StudyError

FILE = Path(__file__).with_name("families.yaml")


class Family(Result):
    """A writing task; its prompts differ in what else they ask."""

    id: str = Field(pattern=r"^[a-z]+(-[a-z]+)*$", description="names the cluster")
    task: str = Field(
        min_length=20, max_length=600, pattern=r"^\S[^\n]*\S$", description="one paragraph"
    )


@cache
def load_families(file: Path = FILE) -> tuple[Family, ...]:
    """Read the families in the order they are written.

    Raises:
        StudyError: the file is no mapping of an id to a task of one paragraph.
    """
    try:
        found = [
            {"id": name, "task": task} for name, task in read_mapping(file, "families").items()
        ]
        return tuple(map(Family.model_validate, found))
    except ValidationError as error:
        raise StudyError(f"families {file} are not valid: {error}") from error
