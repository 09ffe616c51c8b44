"""Does a certificate still hold? What it binds, compared with what is here now.

Example: qualified on vllm 0.31.0, and 0.32.0 is here: "engine vllm is 0.32.0 here, 0.31.0 was
qualified". () means that nothing has changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from reports.certificate.statement import Qualification, Statement
from variants.hardware import Hardware


@dataclass(frozen=True, slots=True)
class Present:
    """What is here now; None is not looked at, an empty string is not there."""

    at: datetime
    files: tuple[str, ...] | None = None  # what is wrong with the artifact's files; () nothing
    base_digest: str | None = None
    policy_sha256: str | None = None
    engine_version: str | None = None
    engine_list_sha256: str | None = None
    hardware: Hardware | None = None


def changes(statement: Statement, present: Present) -> tuple[str, ...]:
    """Name everything that no longer matches, one sentence each."""
    bound = statement.predicate
    return (
        *_expiry(bound, present.at),
        *(f"artifact {bound.artifact}: {problem}" for problem in present.files or ()),
        *_digest("base", bound.base, (bound.base_digest, present.base_digest)),
        *_digest("policy", bound.policy_source, (bound.policy_sha256, present.policy_sha256)),
        *_engine(bound, present),
        *(_machine(bound.hardware, present.hardware) if present.hardware else ()),
    )


def _expiry(bound: Qualification, at: datetime) -> Iterator[str]:
    if bound.is_expired(at):
        yield f"the certificate expired at {bound.expires_at.isoformat()}; qualify anew"
    if at < bound.issued_at:
        yield f"the certificate is of {bound.issued_at.isoformat()}, and the clock says {at}"


def _digest(what: str, name: str, pair: tuple[str, str | None]) -> Iterator[str]:
    """Compare what was bound with what is there."""
    bound, here = pair
    if here == "":
        yield f"{what} {name} is not here"
    elif here is not None and here != bound:
        yield f"{what} {name} has changed: {bound[:16]} was qualified, {here[:16]} is here"


def _engine(bound: Qualification, present: Present) -> Iterator[str]:
    here = present.engine_version
    if here == "":
        yield f"engine {bound.engine} is not known here"
    elif here is not None and here != bound.engine_version:
        yield f"engine {bound.engine} is {here} here, {bound.engine_version} was qualified"
    pair = (bound.engine_list_sha256, present.engine_list_sha256)
    yield from _digest("list of engine packages", bound.engine_list, pair)


def _machine(bound: Hardware, here: Hardware) -> Iterator[str]:
    before, now = _kind_of(bound), _kind_of(here)
    for name, was in before.items():
        if was != now[name]:
            yield f"machine: {name} {now[name]} here, {was} was qualified"


def _kind_of(one: Hardware) -> dict[str, str]:
    """Describe the kind of machine: another card of the same make and driver is the same kind."""
    cards = (
        f"{card.name} with {card.memory_bytes >> 30} GiB, compute capability "
        f"{card.compute_capability}, driver {card.driver}"
        for card in one.accelerators
    )
    return {
        "target": one.target,
        "processor": one.cpu_model,
        "number of cores": str(one.num_cores),
        "instruction sets": " ".join(one.cpu_flags) or "none",
        "accelerators": "; ".join(sorted(cards)) or "none",
    }
