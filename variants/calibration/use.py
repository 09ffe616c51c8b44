"""What is recorded with an artifact about the data that shaped it."""

from pydantic import BaseModel, ConfigDict, Field

from variants.calibration.likeness import Likeness
from variants.calibration.sets import SETS
from variants.specs.spec import Calibration


class CalibrationUse(BaseModel):
    """One draw: from which set, how much of it, and what the set is like."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: str
    origin: str
    licence: str
    template: str
    num_samples: int = Field(description="sequences")
    sequence_tokens: int = Field(description="tokens per sequence")
    seed: int
    likeness: Likeness = Field(description="of the whole set")


def use_of(calibration: Calibration, likeness: Likeness) -> CalibrationUse:
    """Tell a draw."""
    found = SETS[calibration.corpus]
    return CalibrationUse(
        corpus=calibration.corpus,
        origin=found.origin,
        licence=found.licence,
        template=found.template,
        num_samples=calibration.num_samples,
        sequence_tokens=calibration.sequence_tokens,
        seed=calibration.seed,
        likeness=likeness,
    )
