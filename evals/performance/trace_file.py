"""Traces as a Parquet file (adapter: pyarrow)."""

import os
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evals.results import Trace
from variants.errors import MeasurementError
from variants.fingerprint import sha256_file

STAMPS = ("first_byte_ns", "first_token_ns", "last_token_ns")
COUNTS = ("prompt_tokens", "cached_tokens", "output_tokens", "first_read_tokens", "max_gap_ns")
SCHEMA = pa.schema(
    [
        pa.field("index", pa.int64(), nullable=False),
        pa.field("scheduled_ns", pa.int64(), nullable=False),
        pa.field("sent_ns", pa.int64(), nullable=False),
        *(pa.field(name, pa.int64()) for name in STAMPS),
        pa.field("end_ns", pa.int64(), nullable=False),
        *(pa.field(name, pa.int64()) for name in COUNTS),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("error", pa.string(), nullable=False),
        pa.field("is_judged", pa.bool_(), nullable=False),
        pa.field("answer", pa.string()),
        pa.field("is_valid", pa.bool_()),
    ]
)


def write_traces(path: Path, traces: Sequence[Trace]) -> str:
    """Write beside, sync, rename; return the sha256 of the file."""
    table = pa.Table.from_pylist([trace.model_dump() for trace in traces], schema=SCHEMA)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as stream:
        pq.write_table(table, stream, compression="zstd")
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
    return sha256_file(path)


def read_traces(path: Path, sha256: str | None = None) -> tuple[Trace, ...]:
    """Read traces back; with a digest, only if the file still has it.

    Raises:
        MeasurementError: the file's digest is another.
    """
    if sha256 is not None and (found := sha256_file(path)) != sha256:
        raise MeasurementError(f"{path} has sha256 {found}, not {sha256}; it was changed or cut")
    return tuple(Trace(**row) for row in pq.read_table(path).to_pylist())
