"""One piece of evidence, and all of it that a decision rests on."""

from typing import Annotated, Literal

from pydantic import Field

from evals.results.base import Result
from evals.results.performance import (
    Cell,
    Compilation,
    EffectiveConfig,
    Memory,
    Speculated,
    StartUp,
)
from evals.results.quality import Fidelity, SuiteResult
from variants.calibration.use import CalibrationUse
from variants.specs.ladder import ChangeClass

ModelClass = Literal["up to 3B", "above 3B"]


class Check(Result):
    """One pass-or-fail look before the profile: plan to pace, and isolation."""

    kind: Literal["check"] = "check"
    stage: Literal["plan", "build", "audit", "identity", "coherence", "pace", "isolation"]
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
    calibration: CalibrationUse | None = None
    is_calibration_unknown: bool = Field(
        default=False, description="made by others, who do not say which texts shaped it"
    )
    library_seconds: float | None = Field(
        default=None, ge=0, description="s of build_seconds that its libraries took"
    )
    device_hours: float | None = Field(
        default=None, ge=0, description="build_seconds times the devices it held, in hours"
    )
    peak_host_bytes: int | None = Field(
        default=None, ge=0, description="resident memory of the process that built it"
    )
    peak_device_bytes: int | None = Field(
        default=None, ge=0, description="device memory its tensors took; None: there is no device"
    )
    stage_seconds: dict[str, float] = Field(
        default={}, description="stage of the build -> s: import, load, oneshot, save, exit"
    )
    note: str = ""


Payload = Annotated[
    Binding
    | Cell
    | SuiteResult
    | Fidelity
    | Check
    | Artifact
    | StartUp
    | Memory
    | EffectiveConfig
    | Compilation
    | Speculated,
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
