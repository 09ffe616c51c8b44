"""What each kind of gate reads: the records that a verdict rests on, and their digest.

Example: a verdict on two suite results carries the sha256 of their two digests, sorted, one a line.
"""

from collections.abc import Callable, Iterator
from typing import Any

from evals.gates.kinds import Gate
from evals.results import (
    Cell,
    Check,
    Evidence,
    Fidelity,
    Memory,
    Payload,
    Record,
    StartUp,
    SuiteResult,
)
from variants.fingerprint import sha256_text

Reads = Callable[[Any, Payload], bool]


def _suite(gate: Any, payload: Payload) -> bool:
    is_asked = isinstance(payload, SuiteResult) and payload.suite == gate.suite
    return is_asked and gate.path in (None, payload.path)  # type: ignore[union-attr]


READS: dict[str, Reads] = {
    "check": lambda gate, payload: isinstance(payload, Check) and payload.stage == gate.stage,
    "fidelity": lambda _, payload: isinstance(payload, Fidelity),
    "paired_accuracy": _suite,
    "cliff": _suite,
    "pooled_accuracy": lambda _, payload: isinstance(payload, SuiteResult),
    "no_worse": lambda _, payload: isinstance(payload, Cell),
    "attainment": lambda _, payload: isinstance(payload, Cell),
    "limit": lambda _, payload: isinstance(payload, Cell | Memory | StartUp),
    "benefit": lambda _, payload: isinstance(payload, Cell | Memory),
}


def records_read(gate: Gate, evidence: Evidence) -> Iterator[Record]:
    """Yield the records that a gate reads, of every arm."""
    return (record for record in evidence.records if READS[gate.kind](gate, record.payload))


def is_measured(gate: Gate, evidence: Evidence) -> bool:
    """Whether the variant itself has any record this gate reads."""
    return any(
        getattr(record.payload, "arm", "variant") == "variant"
        for record in records_read(gate, evidence)
    )


def digest_read(gate: Gate, evidence: Evidence) -> str | None:
    """Digest the records that a gate reads, or None where there is none."""
    digests = sorted(record_sha256(record) for record in records_read(gate, evidence))
    return sha256_text("\n".join(digests)) if digests else None


def record_sha256(record: Record) -> str:
    """Return the digest that the store files a record under."""
    return sha256_text(record.model_dump_json())
