"""What a served engine showed: requests, cells, how it started, what it took, what it runs."""

from typing import Literal

from pydantic import Field

from evals.results.base import Arm, Result

Outcome = Literal[
    "ok",
    "http_error",
    "stream_error",
    "truncated",
    "timeout",
    "client_cancelled",
    "client_disconnected",
]


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
    answer: str | None = Field(
        default=None, description="JSON of its text and its calls, where more than text was asked"
    )
    is_valid: bool | None = Field(
        default=None, description="whether the answer is what was asked; None: any text would do"
    )


class TenantUse(Result):
    """What one tenant had of a cell: judged requests, and the tokens of those that ended well."""

    name: str
    num_judged: int
    num_ok: int
    attainment: float | None = Field(description="good / judged; open loop only")
    prompt_tokens: int
    cached_tokens: int | None = Field(description="of them, from the prefix cache; None: not told")
    output_tokens: int
    share: float = Field(description="of all tokens that were computed: what it is charged")


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
    tenants: tuple[TenantUse, ...] = Field(default=(), description="where they are mixed")
    invalid: tuple[str, ...] = Field(
        default=(), description="why it supports no verdict; () is valid"
    )
    traces_sha256: str = Field(description="digest of the Parquet file of its traces")


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
    cache: str = Field(
        default="", description="which packaged compile cache it began with, or why none"
    )


class Memory(Result):
    """Bytes of one engine: what was predicted, what it reported, what the host saw."""

    kind: Literal["memory"] = "memory"
    arm: Arm
    predicted_weight_bytes: int
    predicted_kv_cache_bytes: int
    weight_bytes: int = Field(description="bytes of the artifact's tensors as loaded")
    draft_bytes: int | None = Field(
        default=None, description="of the weights speculation drafts with, held beside; None: none"
    )
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


class Compilation(Result):
    """What compiling costs at the start, and after how many requests it has paid."""

    kind: Literal["compilation"] = "compilation"
    cell: str = Field(description="the load that seconds per request were measured at")
    cold_extra_s: float = Field(description="first token after a cold start, less the baseline's")
    warm_extra_s: float | None = Field(default=None, description="the same after a warm start")
    warm_hit: bool | None = Field(default=None, description="proven from the log; None is unknown")
    baseline_request_s: float = Field(description="window / requests that ended well")
    variant_request_s: float
    cold_requests: float | None = Field(description="to break even; None: it never does")
    warm_requests: float | None = Field(default=None, description="the same after a warm start")
    cache_key: str | None = Field(default=None, description="of the packaged compile cache")
    cache_bytes: int | None = None


class Speculated(Result):
    """What speculation did with one kind of text at one concurrency, by the engine's counters."""

    kind: Literal["speculation"] = "speculation"
    data_class: str = Field(description="code, prose, json, calls or chat")
    concurrency: int = Field(ge=1, description="requests in flight")
    num_requests: int = Field(ge=1)
    output_tokens: int = Field(ge=0)
    num_drafts: float | None = Field(description="steps that a draft was made for; None: not told")
    drafted_tokens: float | None
    accepted_tokens: float | None
    acceptance_length: float | None = Field(description="tokens per step: 1 + accepted / drafts")
    acceptance_rate: float | None = Field(description="accepted / drafted, 0 to 1")
    output_tokens_per_s: float
    baseline_tokens_per_s: float = Field(description="of the same requests, without speculation")
