"""Rows into the ledger: ours through Arrow, beside DuckDB's own executemany.

`python -m tests.bench.ledger [ROWS]`: the same rows, each into a new file, in one transaction.
The peer is given the rows ready made and one table; ours also digests, splits and checks.
"""

import sys
import tempfile
import time
from pathlib import Path

import duckdb

from evals.results import Record, SuiteResult
from reports.ledger import SCHEMA, Ledger
from reports.rows import of_record
from tests.reports import fixture
from variants.fingerprint import sha256_text

ROWS = 100_000
PEER_ROWS = 2_000  # it takes a millisecond and more a row: the rest is worked out


def suite_of(num_rows: int) -> tuple[str, Record]:
    """Return a record with so many answers."""
    digest, record = next(
        pair for pair in fixture.filed() if isinstance(pair[1].payload, SuiteResult)
    )
    assert isinstance(record.payload, SuiteResult)
    sample = record.payload.samples[0]
    samples = tuple(sample.model_copy(update={"item": f"item-{at}"}) for at in range(num_rows))
    payload = record.payload.model_copy(update={"samples": samples, "num_issued": num_rows})
    return sha256_text(digest), record.model_copy(update={"payload": payload})


def ours(folder: Path, num_rows: int) -> float:
    """Return the seconds of one append."""
    record = suite_of(num_rows)
    with Ledger(folder / "ours.duckdb") as ledger:
        started = time.perf_counter()
        ledger.append([record])
        seconds = time.perf_counter() - started
        ((count,),) = [tuple(row.values()) for row in ledger.query("SELECT count(*) FROM samples")]
    assert count == num_rows
    return seconds


def peer(folder: Path, num_rows: int) -> float:
    """Return the seconds of one executemany."""
    rows = [row.values for row in of_record(*suite_of(num_rows)) if row.table == "samples"]
    names = list(rows[0])
    sql = f"INSERT INTO kept.samples ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    with duckdb.connect(str(folder / "peer.duckdb")) as connection:
        connection.execute(SCHEMA.read_text())
        started = time.perf_counter()
        connection.begin()
        connection.executemany(sql, [list(row.values()) for row in rows])
        connection.commit()
        return time.perf_counter() - started


def main() -> None:
    """Print seconds, rows a second, and the ratio."""
    num_rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        took = ours(Path(name), num_rows)
        few = min(num_rows, PEER_ROWS)
        beside = peer(Path(name), few)
    rate, beside_rate = num_rows / took, few / beside
    print(f"ours          {num_rows:>8,} rows  {took:6.2f} s  {rate:>10,.0f} rows/s")
    print(f"executemany   {few:>8,} rows  {beside:6.2f} s  {beside_rate:>10,.0f} rows/s")
    print(f"ours is {rate / beside_rate:.0f} times as fast")


if __name__ == "__main__":
    main()
