"""The kinds of gate a policy may hold: what each asks, with its limits.

To add a kind: a class here, one line in `Gate`, a judge in `evals.gates.judges` with its line in
`evals.gates.judging.JUDGES`, and its sentence in `evals.gates.explain`.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from evals.gates.metrics import Direction
from evals.results import Path, Result

Tier = Literal["critical", "required", "advisory"]
ChangeClass = Literal["lossless", "8-bit", "4-bit"]
ModelClass = Literal["up to 3B", "above 3B"]
CheckStage = Literal["plan", "build", "audit", "identity", "coherence", "pace"]
CellChoice = Literal["all", "closed", "open"] | tuple[str, ...]
MODEL_CLASSES: tuple[ModelClass, ...] = ("up to 3B", "above 3B")


class BaseGate(Result):
    """What every gate has."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    tier: Tier = Field(description="critical: never waived; required; advisory: only reported")
    applies_to: tuple[ChangeClass, ...] = Field(
        default=("lossless", "8-bit", "4-bit"),
        min_length=1,
        description="classes of change it is asked of; for others it is listed as not asked",
    )


class CheckGate(BaseGate):
    """All looks of one early stage must have passed."""

    kind: Literal["check"] = "check"
    stage: CheckStage


class FidelityLimit(Result):
    """How far from the baseline one class of change may lie on one class of model."""

    change_class: ChangeClass
    model_class: ModelClass | None = Field(default=None, description="None: both")
    mean_kl: float = Field(gt=0, description="nats; fails above")
    null_kl_multiple: float | None = Field(
        default=None, gt=0, description="the limit is at least this times the null arm's mean KL"
    )
    top1_agreement: float = Field(gt=0, le=1, description="share; fails below")
    null_top1_slack: float | None = Field(
        default=None, ge=0, description="the limit is at most the null arm's share less this"
    )
    perplexity_ratio: float = Field(gt=1, description="variant / baseline; fails above")
    is_two_sided: bool = Field(
        default=False, description="a perplexity ratio below 2 - limit fails too"
    )


class FidelityGate(BaseGate):
    """A screen: within the limits means 'not stopped', never 'good'."""

    kind: Literal["fidelity"] = "fidelity"
    limits: tuple[FidelityLimit, ...]

    def limit_for(self, change: ChangeClass, model: ModelClass) -> FidelityLimit | None:
        """Return the row of that class of change and model, if there is one."""
        for limit in self.limits:
            if limit.change_class == change and limit.model_class in (None, model):
                return limit
        return None

    @model_validator(mode="after")
    def _every_class_has_a_row(self) -> "FidelityGate":
        missing = [
            f"{change}, {model}"
            for change in self.applies_to
            for model in MODEL_CLASSES
            if self.limit_for(change, model) is None
        ]
        if missing:
            raise ValueError(f"no limits for {missing}")
        return self


class PairedAccuracyGate(BaseGate):
    """The share of items lost on one suite stays under a margin."""

    kind: Literal["paired_accuracy"] = "paired_accuracy"
    suite: str
    path: Path | None = Field(default=None, description="None: every path that was measured")
    margin: float = Field(gt=0, lt=1, description="share of items; .05 is 5 points")
    min_items: int = Field(default=400, ge=100)
    min_above_chance: float = Field(
        default=0.10,
        ge=0,
        lt=1,
        description="share the baseline's lower bound must exceed chance by",
    )
    max_missing: float = Field(
        default=0.01, ge=0, le=0.05, description="share of baseline answers that may be missing"
    )


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
    margin: float = Field(gt=0, lt=1, description="relative; .15 is 15 % of the baseline's figure")


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
    any_of: tuple[BenefitOption, ...] = Field(min_length=1)
    min_repeats: int = Field(default=5, ge=5, description="valid pairs of repeats per cell")


Gate = Annotated[
    CheckGate | FidelityGate | PairedAccuracyGate | NoWorseGate | AttainmentGate | BenefitGate,
    Field(discriminator="kind"),
]


def stage_of(gate: BaseGate) -> str:
    """Name the stage whose evidence a gate reads."""
    if isinstance(gate, CheckGate):
        return gate.stage
    if isinstance(gate, FidelityGate):
        return "fidelity"
    return "tasks" if isinstance(gate, PairedAccuracyGate) else "performance"
