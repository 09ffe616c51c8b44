"""A study: the only thing a user writes.

One model validates the YAML, the Prefect parameters and gives the JSON Schema for editors.
Variants are named by functions of `variants.catalogue`, with arguments where they take some.
"""

from typing import Literal

from pydantic import Field, field_validator, model_validator

from evals.results import Result

ServiceClass = Literal["interactive", "batch", "long-context"]
VariantEntry = str | dict[str, dict[str, int | float | str | bool]]


class Slo(Result):
    """Limits that make one request good. Default: MLPerf llama3.1-8b (loadgen/mlperf.conf)."""

    ttft_ms: float = Field(default=2000, gt=0, description="scheduled to first token")
    tpot_ms: float = Field(default=100, gt=0, description="per output token after the first read")
    attainment: float = Field(default=0.9, gt=0, le=1, description="share of good requests asked")


class CellSpec(Result):
    """One point of load: a closed loop at a concurrency, or Poisson arrivals at a rate."""

    closed: int | None = Field(default=None, ge=1, le=4096, description="concurrent requests")
    poisson: float | None = Field(default=None, gt=0, le=10_000, description="requests per second")

    @model_validator(mode="after")
    def _one_load(self) -> "CellSpec":
        if (self.closed is None) == (self.poisson is None):
            raise ValueError("a cell is either `closed: N` or `poisson: RATE`")
        return self

    @property
    def name(self) -> str:
        """closed-8, poisson-2.5."""
        return f"closed-{self.closed}" if self.closed else f"poisson-{self.poisson:g}"

    @property
    def is_open(self) -> bool:
        """Whether goodput and attainment are defined."""
        return self.poisson is not None


class Workload(Result):
    """What is sent, and how long."""

    input_tokens: int = Field(default=128, ge=8, description="prompt tokens per request")
    output_tokens: int = Field(default=32, ge=2, description="fixed output tokens per request")
    cells: tuple[CellSpec, ...] = Field(min_length=1)
    repeats: int = Field(default=5, ge=2, description="interleaved blocks; verdicts ask for 5")
    spare_repeats: int = Field(
        default=5, ge=0, description="at most, for cells of which too few repeats are valid"
    )
    ramp_s: float = Field(default=1.0, ge=0, description="arrivals before the window, not judged")
    window_s: float = Field(default=6.0, gt=0, description="arrivals inside are judged")
    timeout_s: float = Field(default=30.0, gt=0, description="per request")


class SuiteItems(Result):
    """How many items a suite issues on each path (in process it is several times faster)."""

    artifact: int = Field(default=1000, ge=400)
    engine: int = Field(default=400, ge=400)
    null_arm: int = Field(
        default=200, ge=0, description="of the artifact path's, asked of the null arm; 0: none"
    )


class Objective(Result):
    """What the champion is chosen by: the highest lower bound of the gain in this metric."""

    metric: Literal["tpot_ms", "output_tokens_per_s", "ttft_ms", "goodput_rps"] = "tpot_ms"
    cell: str = "closed-1"


class Study(Result):
    """One qualification: a base, the variants to try, and what they must show."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    base: str = Field(description="a base of the catalogue, or a source address")
    base_sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    target: Literal["cpu", "cuda"] = "cpu"
    service_class: ServiceClass = "interactive"
    slo: Slo = Slo()
    variants: tuple[VariantEntry, ...] = Field(min_length=1)
    workload: Workload
    suites: tuple[Literal["continuation-choice", "tool-calling"], ...] = (
        "continuation-choice",
        "tool-calling",
    )
    items: SuiteItems = SuiteItems()
    policy: str = Field(default="quick", description="a policy's name, or a path to its YAML")
    objective: Objective = Objective()
    min_gain: float = Field(
        default=0.05, gt=0, lt=1, description="relative gain the benefit gate asks"
    )
    first_token_deadline_s: float = Field(default=30.0, gt=0)
    start_deadline_s: float = Field(default=600.0, gt=0, description="launch to ready")
    budget_device_hours: float = Field(default=4.0, gt=0)
    price_per_device_hour: float | None = Field(default=None, gt=0, description="USD")
    engine_arguments: tuple[str, ...] = Field(
        default=(), description="further arguments of every engine, passed on as they are"
    )
    custom_ops: Literal["none", "default"] = Field(
        default="none", description="engine's own eager kernels; 'default' gives wrong text on CPU"
    )
    seed: int = 20261129

    @field_validator("variants")
    @classmethod
    def _an_entry_is_one_variant(
        cls, entries: tuple[VariantEntry, ...]
    ) -> tuple[VariantEntry, ...]:
        for entry in entries:
            if isinstance(entry, dict) and len(entry) != 1:
                raise ValueError(
                    f"variant {entry} must have exactly one key, the variant's name; "
                    "give each variant an entry of its own"
                )
        return entries

    @model_validator(mode="after")
    def _objective_names_a_cell(self) -> "Study":
        names = [cell.name for cell in self.workload.cells]
        if len(set(names)) != len(names):
            raise ValueError(f"a cell is named twice: {names}")
        if self.objective.cell not in names:
            raise ValueError(f"objective.cell {self.objective.cell!r} is none of the cells {names}")
        if self.objective.metric == "goodput_rps" and self.objective.cell.startswith("closed"):
            raise ValueError(
                "goodput is an open-loop figure; name a poisson cell as objective.cell"
            )
        return self
