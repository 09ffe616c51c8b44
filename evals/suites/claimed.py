"""What a checkpoint from elsewhere is said to be calibrated with, looked at as far as it can be.

Example: nothing said: passed is None, which holds the variant back and names what may be said.
"""

from collections.abc import Callable, Sequence

from evals.results import Check
from evals.suites.overlap import DISJOINT
from variants.builders.calibration_claim import claimed_texts, read_claim
from variants.errors import StudyError

UNKNOWN = (
    "nobody says what it was calibrated with, so evaluation data may have been in it; add to this "
    "prebuilt variant calibration: file:///PATH of the texts, or `none: WHY` where no text shaped "
    "it, or `accepted by WHO: WHY`"
)


def look_at_claim(words: str, look: Callable[[Sequence[str]], Check]) -> Check:
    """Look at the texts where they are given; else tell what is claimed, and by whom."""
    claim = read_claim(words)
    if claim.path is not None:
        try:
            return look(claimed_texts(claim.path))
        except StudyError as problem:
            return _check(None, str(problem))
    if claim.kind == "unknown":
        return _check(None, UNKNOWN)
    told = {"none": "no text shaped it, says the study", "accepted": "unknown, and"}[claim.kind]
    return _check(True, f"{told} ({claim.words})")


def _check(passed: bool | None, reason: str) -> Check:
    return Check(stage="audit", name=DISJOINT, passed=passed, reason=reason)
