"""What a measurement returns: plain frozen records, with None for what was not measured.

Everything that crosses from a measurement to the ledger, the gates and the report is one of these
payloads inside a `Record`. A record is written once, named by its digest, and never changed.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from variants.ladder import ChangeClass

Arm = Literal["baseline", "variant"]
SuiteArm = Literal["baseline", "variant", "null"]  # null: the baseline, harmlessly perturbed
Path = Literal["artifact", "engine"]
ModelClass = Literal["up to 3B", "above 3B"]
Outcome = Literal[
    "ok",
    "http_error",
    "stream_error",
    "truncated",
    "timeout",
    "client_cancelled",
    "client_disconnected",
]


class Result(BaseModel):
    """Frozen and closed; NaN and infinities are refused at the door."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Trace(Result):
    """One request of one cell. Stamps are monotonic nanoseconds of one host."""

    index: int = Field(description="position in the plan")
    scheduled_ns: int
    sent_ns: int
    first_byte_ns: int | None = None
    first_token_ns: int | None = None
    last_token_ns: int | None = None
    end_ns: int
    prompt_tokens: int | None = Field(default=None, description="server's usage")
    cached_tokens: int | None = Field(default=None, description="server's usage, prefix cache")
    output_tokens: int | None = Field(default=None, description="server's usage")
    first_read_tokens: int | None = Field(default=None, description="tokens in the first read")
    max_gap_ns: int | None = Field(default=None, description="longest gap between token reads")
    outcome: Outcome
    error: str = Field(default="", description="server's or client's words")
    is_judged: bool = Field(default=True, description="arrived inside the window")


class Cell(Result):
    """One arm's measurement of workload x load x repeat."""

    kind: Literal["cell"] = "cell"
    name: str = Field(description="cell of the study, e.g. closed-8 or poisson-2.5")
    arm: Arm
    repeat: int
    order: int = Field(description="position in the drawn order of the whole profile")
    num_offered: int = Field(ge=0, description="judged requests")
    num_ok: int = Field(ge=0)
    window_s: float = Field(gt=0)
    metrics: dict[str, float | None] = Field(
        description="name with unit -> value; keys of evals.performance.metrics.METRICS"
    )
    engine: dict[str, float | None] = Field(
        description="canonical engine metric -> delta (counters) or time-weighted mean (gauges)"
    )
    invalid: tuple[str, ...] = Field(
        default=(), description="why it supports no verdict; () is valid"
    )
    traces_sha256: str = Field(description="digest of the Parquet file of its traces")


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


class SuiteResult(Result):
    """One arm's answers to one suite, through the artifact in process or through the engine."""

    kind: Literal["suite"] = "suite"
    suite: str
    arm: SuiteArm
    path: Path
    chance: float = Field(ge=0, le=1)
    num_issued: int
    num_planned: int | None = Field(default=None, description="items of the last look; None: all")
    samples: tuple[Sample, ...]
    items_sha256: str = Field(description="digest of the item set")
    rule: str = Field(description="the scoring rule in words, fixed beforehand")
    cluster_key: str = Field(default="item", description="what items of one cluster share")
    rewards_silence: bool = Field(
        default=False, description="a refusal or a non-call is right, so garbage would be too"
    )
    weights_sha256: str | None = Field(
        default=None, description="digest of the weight files that answered"
    )
    conditions: dict[str, str] = Field(
        default_factory=dict, description="what both arms must share -> digest, e.g. tokenizer"
    )
    seconds: float


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
    num_nonfinite: int = 0


class Check(Result):
    """One pass-or-fail look of the early stages: plan, audit, identity, coherence, pace."""

    kind: Literal["check"] = "check"
    stage: Literal["plan", "build", "audit", "identity", "coherence", "pace"]
    name: str
    passed: bool | None = Field(description="None: could not be looked at")
    reason: str = Field(description="what was seen, with values, and what to do")
    num_together: int | None = Field(default=None, description="looks taken in one go with it")
    values: dict[str, float | str | None] = Field(default_factory=dict)


class Binding(Result):
    """What a run was bound to when it began: each name -> digest."""

    kind: Literal["binding"] = "binding"
    policy_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    study_sha256: str | None = Field(default=None, description="of what the user wrote")
    base: str
    tools: str
    engines: str
    hardware: str


class Artifact(Result):
    """What a recipe built, and what it took."""

    kind: Literal["artifact"] = "artifact"
    fingerprint: str
    files: dict[str, str] = Field(description="relative path -> sha256")
    num_bytes: int
    weight_bytes: int
    effective_bits: float = Field(description="stored bits per weight over all linear layers")
    build_seconds: float
    was_cached: bool
    tools: dict[str, str] = Field(description="package -> version that shaped the bytes")
    calibration_sha256: str | None = None
    note: str = ""


class StartUp(Result):
    """One start of an engine, from launch to ready to the first token."""

    kind: Literal["startup"] = "startup"
    arm: Arm
    temperature: Literal["cold", "warm"] = Field(
        description="cold: no compile cache of ours existed"
    )
    ready_s: float
    first_token_s: float | None = None
    load_s: float | None = Field(
        default=None, description="engine's own figure for loading weights"
    )
    compile_s: float | None = Field(default=None, description="engine's own figure for compiling")
    cache_hit: bool | None = Field(default=None, description="proven from the log; None is unknown")


class Memory(Result):
    """Bytes of one engine: what was predicted, what it reported, what the host saw."""

    kind: Literal["memory"] = "memory"
    arm: Arm
    predicted_weight_bytes: int
    predicted_kv_cache_bytes: int
    weight_bytes: int = Field(description="bytes of the artifact's tensors as loaded")
    kv_cache_bytes: int | None = None
    kv_cache_tokens: int | None = None
    peak_process_bytes: int | None = Field(
        default=None, description="peak resident set of all its processes"
    )


class EffectiveConfig(Result):
    """What the engine says it runs, beside what was asked."""

    kind: Literal["config"] = "config"
    arm: Arm
    engine: str
    version: str
    command: tuple[str, ...]
    environment: dict[str, str]
    reported: dict[str, str] = Field(description="read back from the engine's log and endpoints")


Payload = Annotated[
    Binding | Cell | SuiteResult | Fidelity | Check | Artifact | StartUp | Memory | EffectiveConfig,
    Field(discriminator="kind"),
]


class Record(Result):
    """One immutable piece of evidence: a payload and where it belongs."""

    study: str
    run: str
    variant: str
    step: str = Field(description="unique within run and variant; what --resume looks for")
    recorded_at: str = Field(description="UTC, ISO 8601")
    payload: Payload


class Evidence(Result):
    """All records of one variant in one run, beside those of its baseline."""

    study: str
    run: str
    variant: str
    change_class: ChangeClass
    model_class: ModelClass
    records: tuple[Record, ...]
    unreadable: tuple[str, ...] = Field(
        default=(), description="records that exist and did not verify; any makes the decision HOLD"
    )
