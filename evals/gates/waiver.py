"""A waiver: a named person goes on without one required gate, for a reason and a time.

It lets an INCONCLUSIVE required gate stand; never a critical gate, a FAIL, or the benefit, and it
is void once the policy changes. It is part of the decision, in the ledger and in the report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from evals.gates.verdict import Verdict
from evals.results import Result

LONGEST = timedelta(days=90)  # a quarter: by then the evidence can be had
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)  # no waiver was granted by then


def _checked(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return text


Moment = Annotated[str, AfterValidator(_checked)]  # ISO 8601 with its zone: stable bytes

Words = Annotated[str, StringConstraints(strip_whitespace=True)]
NAME = r"^[a-z0-9][a-z0-9._-]{0,62}$"  # it becomes part of a file's name


class Waiver(Result):
    """Who waives which gate of which variant, why, and until when."""

    study: str = Field(pattern=NAME)
    variant: str = Field(pattern=NAME)
    gate: str = Field(pattern=NAME)
    policy_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="the policy it was given for")
    who: Words = Field(min_length=2, description="a person, by name or address")
    why: Words = Field(min_length=10, description="the reason, in words")
    granted_at: Moment
    expires_at: Moment = Field(description="at most 90 days after it was granted")

    @model_validator(mode="after")
    def _expires(self) -> "Waiver":
        lasts = datetime.fromisoformat(self.expires_at) - datetime.fromisoformat(self.granted_at)
        if not timedelta() < lasts <= LONGEST:
            raise ValueError(f"it must expire within {LONGEST.days} days after it was granted")
        return self


@dataclass(frozen=True, slots=True)
class Waivers:
    """All that were given, and the time at which they are asked."""

    given: tuple[Waiver, ...] = ()
    at: datetime = LONG_AGO


@dataclass(frozen=True, slots=True)
class Waived:
    """Verdicts with the name of who waived them, the waivers used, and why others were not."""

    verdicts: tuple[Verdict, ...]
    used: tuple[Waiver, ...]
    refused: tuple[str, ...]


def apply_waivers(
    verdicts: Sequence[Verdict], waivers: Waivers, variant: str, policy_sha256: str
) -> Waived:
    """Mark what is waived; a gate that passes needs no waiver, and one that may not be is told."""
    used: list[Waiver] = []
    refused: list[str] = []
    marked = {verdict.gate: verdict for verdict in verdicts}
    for waiver in waivers.given:
        if waiver.variant != variant or waiver.gate not in marked:
            continue
        verdict = marked[waiver.gate]
        why_not = _objection(waiver, verdict, policy_sha256, waivers.at)
        if why_not:
            refused.append(f"waiver of {waiver.gate} by {waiver.who} is not used: {why_not}")
        elif verdict.outcome == "INCONCLUSIVE":
            used.append(waiver)
            marked[waiver.gate] = verdict.model_copy(update={"waived_by": waiver.who})
    return Waived(tuple(marked.values()), tuple(used), tuple(refused))


def _objection(waiver: Waiver, verdict: Verdict, policy_sha256: str, at: datetime) -> str:
    if verdict.tier == "critical":
        return "a critical gate cannot be waived"
    if verdict.kind == "benefit":
        return "without a benefit there is nothing to promote"
    if verdict.outcome in ("FAIL", "NOT_APPLICABLE"):
        return f"its verdict is {verdict.outcome}, only INCONCLUSIVE can be waived"
    if waiver.policy_sha256 != policy_sha256:
        return "it was given for another policy, or another version of it"
    if at >= datetime.fromisoformat(waiver.expires_at):
        return f"it expired at {waiver.expires_at}"
    is_given = at >= datetime.fromisoformat(waiver.granted_at)
    return "" if is_given else "it is dated in the future"
