"""The statement that is signed: an in-toto Statement v1 with our own predicate.

Its subjects are the artifact's files, so that any in-toto tool can check them; the predicate says
what they were qualified as: in which serving, on which engine and machine, by which policy, from
which evidence, and until when.

Source: github.com/in-toto/attestation, spec/v1/statement.md.
"""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from evals.gates.envelope import CellStanding
from evals.gates.gains import Gain
from variants.hardware import Hardware
from variants.specs.spec import Recipe, Serving

StatementType = Literal["https://in-toto.io/Statement/v1"]
PredicateType = Literal["urn:touchstone:qualification:v1"]  # a name: nothing is fetched by it
STATEMENT: StatementType = "https://in-toto.io/Statement/v1"
QUALIFICATION: PredicateType = "urn:touchstone:qualification:v1"
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Closed(BaseModel):
    """Frozen, and closed to unknown keys: what is not understood is not vouched for."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Digest(Closed):
    """Digests of one subject, by algorithm."""

    sha256: Sha256


class Subject(Closed):
    """One file of the artifact."""

    name: str = Field(min_length=1, max_length=1024, description="path in the artifact's folder")
    digest: Digest


class Qualification(Closed):
    """What was qualified, as what, and until when."""

    channel: str = Field(description="base, target and service class")
    study: str
    study_digest: str
    run: str
    variant: str
    base: str = Field(description="address of the base")
    base_digest: str
    artifact: str = Field(description="fingerprint of the artifact")
    manifest_sha256: Sha256
    recipe: Recipe = Field(description="what made the artifact of the base")
    calibration_sha256: str | None = Field(description="of the texts that shaped it, if any did")
    serving: Serving = Field(description="exactly as it was qualified")
    engine: str
    engine_version: str
    engine_list: str = Field(description="list of packages its environment was made of")
    engine_list_sha256: Sha256
    tools: dict[str, str] = Field(description="package -> version that shaped the artifact's bytes")
    hardware: Hardware
    policy: str
    policy_source: str = Field(description="its name, or the path of its file")
    policy_sha256: Sha256
    decision_sha256: Sha256
    evidence_sha256: Sha256
    margin: str
    gain: Gain | None = Field(description="in the study's objective; None: it was not measured")
    cells: tuple[CellStanding, ...] = Field(description="the operating envelope")
    waived: tuple[str, ...] = Field(default=(), description="gates somebody answers for by name")
    issued_at: AwareDatetime
    expires_at: AwareDatetime

    @model_validator(mode="after")
    def _expires_after_issue(self) -> Self:
        if self.expires_at <= self.issued_at:
            raise ValueError(f"it expires at {self.expires_at}, before it was issued")
        return self

    def is_expired(self, at: datetime) -> bool:
        """Whether it holds no more at a time."""
        return at >= self.expires_at


class Statement(Closed):
    """The whole payload."""

    type: StatementType = Field(default=STATEMENT, alias="_type")
    subject: tuple[Subject, ...] = Field(min_length=1, max_length=10_000)
    predicate_type: PredicateType = Field(default=QUALIFICATION, alias="predicateType")
    predicate: Qualification
