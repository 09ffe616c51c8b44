"""The ledger: one DuckDB file derived from evidence, and the only module that opens it.

DuckDB lets one process hold a file, so a `Ledger` is opened late, written in one short
transaction per call, and closed at once. Losing the file loses nothing: `rebuild` makes an equal
one from the evidence.

Example:
    with Ledger(home / "ledger.duckdb") as ledger:
        ledger.append([(digest, record)])
        ledger.query("SELECT variant, outcome FROM decisions")
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Self

import duckdb
import pyarrow as pa
from pyarrow import parquet

from evals.gates.decision import Decision
from evals.results import Record
from reports import rows
from reports.kept.entries import Promotion, RunEnd, Setting
from reports.kept.filed import read_filed
from reports.rows import Row
from variants.errors import LedgerError

SCHEMA = Path(__file__).with_name("schema.sql")
QUERIES = Path(__file__).with_name("queries.sql")
NO_FILES = "SET enable_external_access = false"
HELD = "Could not set lock on file"  # DuckDB's words; a path may hold the word lock too
KEYED = "DELETE FROM kept.{} WHERE study = ? AND run = ? AND variant = ?"


class Ledger:
    """Sole owner of one ledger file while it is open."""

    def __init__(self, path: Path, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._connection: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> Self:
        """Open the file and bring its tables and views up to the schema.

        Raises:
            LedgerError: another process holds it, or it is no ledger.
        """
        self._connection = _connect(self.path, self.read_only)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, so that the next process can open it."""
        self._open().close()
        self._connection = None

    def append(self, records: Iterable[tuple[str, Record]]) -> int:
        """Add evidence by digest in one transaction; return how many records were new."""
        by_digest = dict(records)
        with self._transaction():
            held = self._held("evidence", list(by_digest))
            fresh = {digest: by_digest[digest] for digest in by_digest if digest not in held}
            self._insert(row for item in fresh.items() for row in rows.of_record(*item))
        return len(fresh)

    def append_decision(self, decision: Decision) -> None:
        """Add a decision and its gates, in place of an earlier one on the same run and variant."""
        key = [decision.study, decision.run, decision.variant]
        with self._transaction():
            for table in ("decisions", "gates"):
                self._open().execute(KEYED.format(table), key)
            self._insert(rows.of_decision(decision))

    def append_run(self, end: RunEnd) -> None:
        """Add how a run ended, in place of an earlier end of the same run."""
        with self._transaction():
            for table in ("runs", "stages"):
                sql = f"DELETE FROM kept.{table} WHERE study = ? AND run = ?"
                self._open().execute(sql, [end.study, end.run])
            self._insert(rows.of_run(end))

    def append_once(self, entry: Promotion | Setting) -> None:
        """Add one move of a channel, or how a run began; the same one twice is one row."""
        row = rows.of_entry(entry)
        with self._transaction():
            if not self._held(row.table, [str(row.values["digest"])]):
                self._insert([row])

    def query(self, sql: str) -> list[dict[str, object]]:
        """Run SQL against the views and return its rows.

        Raises:
            LedgerError: the SQL does not run.
        """
        try:
            cursor = self._open().execute(sql)
        except duckdb.Error as error:
            raise LedgerError(f"query failed on {self.path}: {error}\nthe query: {sql}") from error
        if cursor is None or cursor.description is None:
            raise LedgerError(f"{sql!r} asks nothing; give a query such as 'from decisions'")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def export(self, table: str, path: Path) -> int:
        """Write a table to a Parquet file, in one order; return its number of rows."""
        found = self._open().sql(f"SELECT * FROM kept.{table} ORDER BY ALL").to_arrow_table()
        parquet.write_table(found, path, compression="zstd")
        return int(found.num_rows)

    def _open(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            raise LedgerError(f"{self.path} is not open; use `with Ledger(path) as ledger:`")
        return self._connection

    def _held(self, table: str, digests: list[str]) -> set[str]:
        sql = f"SELECT digest FROM kept.{table} WHERE digest IN (SELECT unnest(?))"
        return {str(row[0]) for row in self._open().execute(sql, [digests]).fetchall()}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._open()
        connection.begin()
        try:
            yield
        except BaseException as error:
            connection.rollback()
            if isinstance(error, duckdb.Error):
                raise LedgerError(f"{self.path}: nothing was written: {error}") from error
            raise
        connection.commit()

    def _insert(self, incoming: Iterable[Row]) -> None:
        for table, group in groupby(sorted(incoming, key=attrgetter("table")), attrgetter("table")):
            self._insert_table(table, [row.values for row in group])

    def _insert_table(self, table: str, values: list[dict[str, object]]) -> None:
        connection = self._open()
        schema = connection.sql(f"SELECT * FROM kept.{table} LIMIT 0").to_arrow_table().schema
        unknown = set(values[0]) - set(schema.names)
        if unknown:
            raise LedgerError(
                f"{self.path}: table {table} has no column {sorted(unknown)}; it was made by an "
                "earlier version: make it anew, `python -m reports.rebuild`"
            )
        connection.register("incoming", pa.Table.from_pylist(values, schema=schema))
        connection.execute(f"INSERT INTO kept.{table} BY NAME SELECT * FROM incoming")
        connection.unregister("incoming")


def rebuild(path: Path, files: Iterable[Path]) -> None:
    """Make a new ledger from evidence files, each verified against the digest in its name.

    Raises:
        LedgerError: the ledger exists already, or a file does not verify.
    """
    if path.exists():
        raise LedgerError(
            f"{path} exists; rebuild into a new file, then rename it over the old one"
        )
    filed = [read_filed(file) for file in files]
    with Ledger(path) as ledger:
        ledger.append((item.digest, item.value) for item in filed if isinstance(item.value, Record))
        for item in filed:
            match item.value:
                case Decision():
                    ledger.append_decision(item.value)
                case RunEnd():
                    ledger.append_run(item.value)
                case Promotion() | Setting():
                    ledger.append_once(item.value)


def check_free(path: Path) -> None:
    """Refuse to go on while another process holds a ledger; one that is broken is free.

    Raises:
        LedgerError: it is held, with the holder's process id.
    """
    if not path.is_file():
        return
    try:
        duckdb.connect(str(path)).close()
    except duckdb.Error as error:
        if HELD in str(error):
            raise LedgerError(_refusal(path, str(error))) from error


def _connect(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    if read_only and not path.is_file():
        raise LedgerError(f"no ledger at {path}; run a study first, or give the path of one")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = duckdb.connect(str(path), read_only=read_only)
        connection.execute("SET TimeZone = 'UTC'")
        # reading, a query writes no file; else tables and views are brought up to date
        connection.execute(NO_FILES if read_only else SCHEMA.read_text() + QUERIES.read_text())
        return connection
    except duckdb.Error as error:
        raise LedgerError(_refusal(path, str(error))) from error


def _refusal(path: Path, words: str) -> str:
    if HELD not in words:
        anew = "if an earlier version made it, make it anew, `python -m reports.rebuild`"
        return f"{path} cannot be opened as a ledger: {words}; {anew}"
    holder = re.search(r"PID (\d+)", words)
    who = f"process {holder[1]}" if holder else "another process"
    return (
        f"{path} is held by {who}; a ledger has one owner at a time. "
        "Wait until it ends (or stop it), then try again; a copy of the file can be read at once"
    )


if __name__ == "__main__":
    from reports.questions import main  # it imports this module

    raise SystemExit(main())
