"""Gates on suites: how many items may be lost, on one suite and over all."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from evals.gates.kinds.base import MODEL_CLASSES, BaseGate, Share
from evals.results import ModelClass, Path
from variants.specs.ladder import ChangeClass


class AccuracyGate(BaseGate):
    """A gate on a share of items lost, with a margin for each class of change and of model."""

    margin: Share | dict[ChangeClass, Share | dict[ModelClass, Share]] = Field(
        description="share of items, .05 is 5 points: one for all, or one per class; an adapter "
        "without one of its own is held to that of 4-bit"
    )

    def margin_for(self, change: ChangeClass, model: ModelClass) -> float:
        """Return the margin of that class of change and model."""
        row = self._of_class(change) if isinstance(self.margin, dict) else self.margin
        return row[model] if isinstance(row, dict) else row

    def _of_class(self, change: ChangeClass) -> Share | dict[ModelClass, Share]:
        """An adapter flips at least as many items as 4 bits do: no smaller loss can be told."""
        assert isinstance(self.margin, dict), "asked of those alone"
        own = self.margin.get(change) if change == "adapter" else self.margin[change]
        return self.margin["4-bit"] if own is None else own

    @model_validator(mode="after")
    def _every_class_has_a_margin(self) -> "AccuracyGate":
        for change in self.applies_to:
            for model in MODEL_CLASSES:
                try:
                    self.margin_for(change, model)
                except KeyError:
                    raise ValueError(f"no margin for {change}, {model}") from None
        return self


class SuiteGate(BaseGate):
    """A gate on one suite: its paths, and what makes answers unfit to be judged."""

    suite: str
    path: Path | None = Field(default=None, description="None: every path that was measured")
    min_items: int = Field(default=400, ge=100)
    cluster_key: str | None = Field(
        default=None, description="what items of one cluster share; None: as the suite says"
    )
    min_above_chance: float = Field(
        default=0.10,
        ge=0,
        lt=1,
        description="share the baseline's lower bound must exceed chance by",
    )
    max_missing: float = Field(
        default=0.01, ge=0, le=0.05, description="share of baseline answers that may be missing"
    )
    max_cut: float = Field(default=0.10, ge=0, le=1, description="share of answers cut, per arm")
    max_cut_gap: float = Field(default=0.02, ge=0, le=1, description="between the arms' shares")


class PairedAccuracyGate(SuiteGate, AccuracyGate):
    """The share of items lost on one suite stays under a margin."""

    kind: Literal["paired_accuracy"] = "paired_accuracy"
    looks: tuple[Annotated[float, Field(gt=0, le=1)], ...] = Field(
        default=(1.0,),
        min_length=1,
        description="shares of the planned items at which it may be judged; an early PASS pays "
        "by a wider bound (Lan-DeMets), an early FAIL is free",
    )
    max_null_flips: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="share of items that may flip in the null arm, which is then required",
    )

    @model_validator(mode="after")
    def _looks_rise_to_all(self) -> "PairedAccuracyGate":
        if list(self.looks) != sorted(set(self.looks)) or self.looks[-1] != 1:
            raise ValueError(f"looks {list(self.looks)} must rise and end at 1.0, all items")
        return self


class CliffGate(SuiteGate, AccuracyGate):
    """The share of items lost stays under a margin at every level of a suite's axis."""

    kind: Literal["cliff"] = "cliff"
    min_items: int = Field(default=150, ge=50, description="over all levels")
    min_per_level: int = Field(default=25, ge=10, description="items at each level")
    # A cut answer is wrong in every suite with an axis, and to ramble on is how a model breaks: to
    # refuse such answers would make a cliff INCONCLUSIVE.
    max_cut: float = Field(default=1.0, ge=0, le=1, description="share of answers cut, per arm")
    max_cut_gap: float = Field(default=1.0, ge=0, le=1, description="between the arms' shares")


class PairedOddsGate(SuiteGate):
    """The mean log-odds of the right option lose less than a limit."""

    kind: Literal["paired_odds"] = "paired_odds"
    max_loss_nats: float = Field(gt=0, description="nats per token, mean over items")


class CanaryGate(SuiteGate):
    """No item that the baseline has right may newly fail."""

    kind: Literal["canaries"] = "canaries"
    min_items: int = Field(default=50, ge=20)
    max_cut: float = Field(default=1.0, ge=0, le=1, description="share of answers cut, per arm")
    max_cut_gap: float = Field(default=1.0, ge=0, le=1, description="between the arms' shares")


class PooledAccuracyGate(AccuracyGate):
    """The mean loss over all suites measured: many small losses may not add up to a large one."""

    kind: Literal["pooled_accuracy"] = "pooled_accuracy"
    min_suites: int = Field(default=2, ge=2)
