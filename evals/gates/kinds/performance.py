"""Gates on cells, memory and start-up: no worse, within a limit, inside the SLO, and better."""

from typing import Literal

from pydantic import Field

from evals.gates.kinds.base import BaseGate, CellChoice, Share
from evals.gates.metrics import Direction
from evals.results import Result
from evals.study import ServiceClass
from variants.specs.ladder import ChangeClass


class RepeatsGate(BaseGate):
    """A gate over repeated cells."""

    cells: CellChoice = Field(
        default="all",
        description="all: those in which the metric is defined; or closed, open, names",
    )
    min_repeats: int = Field(default=5, ge=5, description="valid pairs of repeats per cell")


class NoWorseGate(RepeatsGate):
    """A performance metric is not worse than the baseline's by more than a share, in every cell."""

    kind: Literal["no_worse"] = "no_worse"
    metric: str
    direction: Direction
    margin: Share | dict[ServiceClass, Share] = Field(
        description="relative, .15 is 15 % of the baseline's figure: for all, or by service class"
    )
    cell_margins: dict[str, Share] = Field(
        default_factory=dict, description="cells of the study with a margin of their own"
    )

    def margin_for(self, service: ServiceClass, cell: str) -> float | None:
        """Return the margin in a cell, or None where the policy gives none for the class."""
        general = self.margin.get(service) if isinstance(self.margin, dict) else self.margin
        return self.cell_margins.get(cell, general)


class LimitGate(RepeatsGate):
    """An absolute limit on the variant alone: SLO, memory, start-up, cost, energy."""

    kind: Literal["limit"] = "limit"
    metric: str
    direction: Direction
    unit: str = Field(description="of the limit; must be the metric's own")
    limit: float = Field(gt=0, description="at most where lower is better, else at least")


class AttainmentGate(RepeatsGate):
    """The share of requests inside the SLO reaches the study's, in every open cell."""

    kind: Literal["attainment"] = "attainment"
    cells: CellChoice = "open"


class BenefitOption(Result):
    """One metric in which a gain would do."""

    metric: str
    direction: Direction
    cells: CellChoice = Field(default="all", description="ignored for weight_bytes")


class BenefitGate(BaseGate):
    """At least one of the listed metrics is better by the study's min_gain."""

    kind: Literal["benefit"] = "benefit"
    applies_to: tuple[ChangeClass, ...] = Field(
        default=("lossless", "8-bit", "4-bit"),
        min_length=1,
        description="classes of change it is asked of; what an adapter is for shows in its own "
        "suite, so without a gate on that it is on hold, never rejected for being no faster",
    )
    any_of: tuple[BenefitOption, ...] = Field(min_length=1)
    min_repeats: int = Field(default=5, ge=5, description="valid pairs of repeats per cell")
