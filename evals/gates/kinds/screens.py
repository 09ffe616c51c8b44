"""Gates of the early stages: looks that must have passed, and the fidelity screen."""

from typing import Literal

from pydantic import Field, model_validator

from evals.gates.kinds.base import MODEL_CLASSES, BaseGate
from evals.results import ModelClass, Result
from variants.specs.ladder import ChangeClass

CheckStage = Literal["plan", "build", "audit", "identity", "coherence", "pace", "isolation"]


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
    applies_to: tuple[ChangeClass, ...] = Field(
        default=("lossless", "8-bit", "4-bit"),
        min_length=1,
        description="classes of change it is asked of; an adapter is meant to lie away from the "
        "base, and its effect is looked at where it is served",
    )
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
