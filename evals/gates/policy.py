"""A policy: the gates a variant must pass, read from YAML and named by the digest of its content.

The kinds are in `evals.gates.kinds`. The digest is taken of the parsed policy, so a comment
changes nothing and a margin changes everything.
"""

from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from evals.gates.kinds import BaseGate, BenefitGate, Gate
from evals.results import Result
from evals.yaml_file import read_mapping
from variants.errors import StudyError
from variants.fingerprint import canonical_json, sha256_text

FOLDER = Path(__file__).parent / "policies"


class Policy(Result):
    """What a variant must show, stage by stage, cheap first."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    description: str = Field(description="for whom this policy is, in words")
    alpha: float = Field(default=0.05, gt=0, le=0.1, description="risk of one one-sided bound")
    gates: tuple[Gate, ...] = Field(description="asked in this order")

    @property
    def confidence(self) -> float:
        """Of each one-sided bound: 1 - alpha."""
        return 1 - self.alpha

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "Policy":
        ids = [gate.id for gate in self.gates]
        repeated = sorted({gate for gate in ids if ids.count(gate) > 1})
        if repeated:
            raise ValueError(f"gates named twice: {repeated}")
        return self


def is_blocking(gate: BaseGate) -> bool:
    """Whether promotion needs this gate to pass."""
    return gate.tier != "advisory"


def asks_benefit(policy: Policy) -> bool:
    """Whether some blocking gate asks for a benefit."""
    return any(isinstance(gate, BenefitGate) and is_blocking(gate) for gate in policy.gates)


def policy_sha256(policy: Policy) -> str:
    """Digest the content of a policy to 64 hex digits."""
    return sha256_text(canonical_json(policy))


def load_policy(name_or_path: str | Path) -> Policy:
    """Read a policy by its name, or from a path that ends in .yaml or .yml.

    Raises:
        StudyError: there is none, it is not YAML, or it holds an unknown or missing key.
    """
    file = _file_of(name_or_path)
    try:
        return Policy.model_validate(read_mapping(file, "policy"))
    except ValidationError as error:
        raise StudyError(f"policy {file} is not valid: {_in_words(error)}") from error


def policy_names() -> tuple[str, ...]:
    """List the policies that come with the project."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.yaml")))


def _file_of(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if path.suffix in {".yaml", ".yml"} and path.is_file():
        return path
    if str(name_or_path) in policy_names():
        return FOLDER / f"{name_or_path}.yaml"
    raise StudyError(
        f"no policy {str(name_or_path)!r}; existing policies are {list(policy_names())}, "
        "or give the path of a .yaml file"
    )


def _in_words(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'policy'}: {item['msg']}" for item in error.errors()
    )
