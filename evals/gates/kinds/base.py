"""What every gate of a policy has: an id, a tier, and the classes of change it is asked of."""

from typing import Annotated, Literal

from pydantic import Field

from evals.results import ModelClass, Result
from variants.specs.ladder import ChangeClass

Tier = Literal["critical", "required", "advisory"]
CellChoice = Literal["all", "closed", "open"] | tuple[str, ...]
Share = Annotated[float, Field(gt=0, lt=1)]
MODEL_CLASSES: tuple[ModelClass, ...] = ("up to 3B", "above 3B")


class BaseGate(Result):
    """What every gate has."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    tier: Tier = Field(description="critical: never waived; required; advisory: only reported")
    applies_to: tuple[ChangeClass, ...] = Field(
        default=("lossless", "8-bit", "4-bit", "adapter"),
        min_length=1,
        description="classes of change it is asked of; for others it is listed as not asked",
    )
