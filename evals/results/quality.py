"""What a model answered, and how far its answers are from the baseline's."""

from typing import Literal

from pydantic import Field

from evals.results.base import Result

REFUSED = "refused"  # error of a sample: the engine would not even begin
SuiteArm = Literal["baseline", "variant", "null"]  # null: the baseline, harmlessly perturbed
Path = Literal["artifact", "engine"]
Stop = Literal["floor", "fail", "pass"]  # why a suite was not asked to its end
WHY_STOPPED: dict[Stop, str] = {
    "floor": "nothing to lose",
    "fail": "failed already",
    "pass": "passed already",
}


class Sample(Result):
    """One scored item of a suite."""

    item: str = Field(description="stable id of the item")
    cluster: str
    prompt_sha256: str = Field(description="of the token ids that were scored")
    is_correct: bool | None = Field(description="None: issued and not answered")
    margin: float | None = Field(
        default=None, description="nats per token: gold minus the best wrong option"
    )
    choice: int | None = Field(default=None, description="index of the option chosen; gold is 0")
    is_degenerate: bool | None = Field(
        default=None, description="a written answer is no language; None: nothing was written"
    )
    is_cut: bool | None = Field(
        default=None, description="a written answer met the length limit; None: nothing was written"
    )
    error: str | None = Field(
        default=None, description="class of what is wrong with a written answer; '' for nothing"
    )
    opening: str | None = Field(
        default=None, description="how a written answer begins, 40 characters; None: no answer"
    )
    level: float | None = Field(
        default=None, description="on the suite's axis, item `BASE@LEVEL`; None: it has no axis"
    )


class SuiteResult(Result):
    """One arm's answers to one suite, through the artifact in process or through the engine."""

    kind: Literal["suite"] = "suite"
    suite: str
    arm: SuiteArm
    path: Path
    chance: float = Field(ge=0, le=1)
    num_issued: int
    num_planned: int | None = Field(
        default=None, description="items to be asked to the end; None: those issued"
    )
    stopped: Stop | None = Field(
        default=None,
        description="more items would not have changed the verdict: the baseline is at the floor, "
        "or the variant fails, or passes, already; None: asked to the end",
    )
    samples: tuple[Sample, ...]
    items_sha256: str = Field(description="digest of the item set")
    rule: str = Field(description="the scoring rule in words, fixed beforehand")
    cluster_key: str = Field(default="item", description="what items of one cluster share")
    rewards_silence: bool = Field(
        default=False, description="a refusal or a non-call is right, so garbage would be too"
    )
    axis: str = Field(
        default="", description="what the levels of its samples count; '': they have none"
    )
    weights_sha256: str | None = Field(
        default=None, description="digest of the weight files that answered"
    )
    conditions: dict[str, str] = Field(
        default_factory=dict, description="what both arms must share -> digest, e.g. tokenizer"
    )
    seconds: float
    output_tokens: int | None = Field(default=None, description="written; None: nothing was")
    prompt_tokens: int | None = Field(
        default=None,
        description="of choices that were answered, a context once an option; None: no choices",
    )
    engine_busy_share: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="of the seconds, in which the engine had a request by its own count; "
        "None: no engine, or it did not say",
    )

    @property
    def items_per_s(self) -> float | None:
        """Return how many items were asked in a second."""
        return self.num_issued / self.seconds if self.seconds else None

    @property
    def tokens_per_s(self) -> float | None:
        """Return the tokens written in a second, or for choices those scored."""
        tokens = self.prompt_tokens if self.output_tokens is None else self.output_tokens
        return tokens / self.seconds if tokens is not None and self.seconds else None

    @property
    def is_given_up_in_writing(self) -> bool:
        """Whether no variant, whatever was changed, is asked this after the baseline."""
        return self.stopped == "floor" and self.output_tokens is not None

    @property
    def num_spared(self) -> int:
        """Items that were planned, and not asked."""
        return (self.num_planned or self.num_issued) - self.num_issued

    def told(self) -> str:
        """Say in one line how many were right, how fast, and how busy the engine was."""
        right = sum(sample.is_correct is True for sample in self.samples)
        told = [
            f"{self.suite} through the {self.path}: {right} of {self.num_issued} right "
            f"({right / max(1, self.num_issued):.1%})",
            f"{self.seconds:.0f} s",
        ]
        if self.stopped:
            told.append(f"{self.num_spared} items spared ({WHY_STOPPED[self.stopped]})")
        if self.items_per_s is not None:
            told.append(f"{self.items_per_s:.1f} items/s")
        if self.tokens_per_s is not None:
            verb = "scored" if self.output_tokens is None else "written"
            told.append(f"{self.tokens_per_s:.0f} tokens/s {verb}")
        if self.engine_busy_share is not None:
            told.append(f"engine busy {self.engine_busy_share:.0%} of the time")
        return ", ".join(told)


class FidelityFigure(Result):
    """One line of the table of distance."""

    name: str
    value: float | None = Field(description="None: undefined")
    standard_error: float | None = Field(description="by document; None: undefined")
    unit: str


class FidelitySlice(Result):
    """Distance over the tokens of one role."""

    name: str = Field(description="prose (of the screen), or a part of a chat such as tool-call")
    num_tokens: int = Field(description="scored in both arms")
    num_passages: int = Field(description="that hold such a token")
    num_nonfinite: int = Field(ge=0, description="tokens the variant gave no number for")
    mean_kl: float | None = Field(default=None, description="nats; None: no token has a number")
    kl_error: float | None = Field(
        default=None, description="standard error by passage; None: undefined"
    )
    top1_agreement: float | None = Field(default=None, ge=0, le=1)
    mean_delta_p: float | None = Field(
        default=None, description="points, change of the true token's probability"
    )
    perplexity_ratio: float | None = Field(
        default=None, description="variant / baseline, at most e to 20, and so are its bounds"
    )
    ratio_lower: float | None = Field(
        default=None, description="each bound at .95; None: fewer than 2 passages"
    )
    ratio_upper: float | None = None
    null_mean_kl: float = Field(description="nats, the null arm over the same tokens")


class FidelityBucket(Result):
    """Distance over the tokens of long passages that have so many tokens before them."""

    start_token: int
    end_token: int = Field(description="the first position that is no longer in it")
    num_tokens: int = Field(description="scored in both arms")
    num_passages: int
    num_nonfinite: int = Field(ge=0, description="tokens the variant gave no number for")
    mean_kl: float | None = Field(default=None, description="nats; None: no token has a number")
    kl_lower: float | None = Field(
        default=None, description="each bound at .95; None: fewer than 2 passages"
    )
    kl_upper: float | None = None
    baseline_perplexity: float | None = None
    variant_perplexity: float | None = None
    perplexity_ratio: float | None = Field(
        default=None, description="variant / baseline, at most e to 20, and so are its bounds"
    )
    ratio_lower: float | None = None
    ratio_upper: float | None = None
    null_mean_kl: float = Field(description="nats, the null arm over the same tokens")


class Fidelity(Result):
    """Distance of an artifact from the baseline, full vocabulary, in process, and the null arm."""

    kind: Literal["fidelity"] = "fidelity"
    num_positions: int
    num_documents: int
    mean_kl: float = Field(description="nats, KL(baseline || variant)")
    p99_kl: float
    max_kl: float
    top1_agreement: float = Field(ge=0, le=1)
    perplexity_ratio: float = Field(description="variant / baseline")
    null_mean_kl: float = Field(description="baseline against itself computed in fp32")
    null_top1_agreement: float = Field(ge=0, le=1)
    num_nonfinite: int = Field(
        default=0, description="tokens without a number, of slices and positions as well"
    )
    figures: tuple[FidelityFigure, ...] = Field(
        default=(), description="the whole table; (): the arms lie too far apart for one"
    )
    slices: tuple[FidelitySlice, ...] = Field(default=(), description="by role; (): not measured")
    positions: tuple[FidelityBucket, ...] = Field(
        default=(), description="by position, nearest first; (): not measured"
    )
