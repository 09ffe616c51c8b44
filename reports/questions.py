"""Ask a ledger: one query, the list of what it holds, or all of it as Parquet.

`python -m reports.ledger FILE SQL | --views | --columns VIEW | --export FOLDER`
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from reports.ledger import QUERIES, SCHEMA, Ledger
from variants.command import ended
from variants.errors import LedgerError

COLUMN = re.compile(r'^\s+"?(\w+)"?\s+([\w()\[\], ]+?),?\s*-- (.+)$')
TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS kept\.(\w+)")
VIEW = re.compile(r"(?m)^((?:-- .+\n)+)CREATE OR REPLACE VIEW (\w+)")


def main(arguments: list[str] | None = None) -> int:
    """Print the rows of one query as a table, or what else is asked. Exit codes: 0, 1 an error."""
    parser = argparse.ArgumentParser(
        prog="python -m reports.ledger",
        description="Query a ledger (opened read-only) and print the rows as a table.",
        epilog=f"Views: {' '.join(sorted(tables()))}. Questions: {' '.join(dict(views()))}.",
    )
    parser.add_argument("path", type=Path, help="ledger file, e.g. .touchstone/ledger.duckdb")
    parser.add_argument("sql", nargs="?", help='e.g. "SELECT variant, outcome FROM decisions"')
    parser.add_argument("--views", action="store_true", help="say what each question answers")
    parser.add_argument("--columns", metavar="VIEW", help="say what each column is, with its unit")
    parser.add_argument("--export", type=Path, metavar="FOLDER", help="one Parquet file a table")
    options = parser.parse_args(arguments)
    others = (options.views, options.columns, options.export)
    if sum(map(bool, others)) + (options.sql is not None) != 1:
        parser.error("give one of SQL, --views, --columns VIEW, --export FOLDER")
    return ended(lambda: _answer(options), error_code=1)


def _answer(options: argparse.Namespace) -> int:
    if options.views:
        print("\n".join(f"{name}: {says}" for name, says in views()))
    elif options.columns:
        print("\n".join(columns(options.columns)))
    elif options.export:
        print("\n".join(export(options.path, options.export)))
    else:
        with Ledger(options.path, read_only=True) as ledger:
            print(as_table(ledger.query(options.sql)))
    return 0


def views() -> Iterator[tuple[str, str]]:
    """Yield each question's view, and what it answers."""
    for words, name in VIEW.findall(QUERIES.read_text(encoding="utf-8")):
        yield name, " ".join(line.removeprefix("-- ") for line in words.splitlines())


def tables() -> dict[str, dict[str, str]]:
    """Return every table's columns with what `schema.sql` says of them: type, unit, source."""
    found: dict[str, dict[str, str]] = {}
    for line in SCHEMA.read_text(encoding="utf-8").splitlines():
        if table := TABLE.match(line):
            found[table[1]] = {}
        elif (column := COLUMN.match(line)) and found:
            found[list(found)[-1]][column[1]] = f"{column[2]}; {column[3]}"
    return found


def columns(view: str) -> list[str]:
    """Say what each column of a table is.

    Raises:
        LedgerError: there is no such table.
    """
    found = tables().get(view)
    if found is None:
        raise LedgerError(f"no table {view!r}; there are {', '.join(sorted(tables()))}")
    width = max(map(len, found))
    return [f"{name:<{width}}  {says}" for name, says in found.items()]


def export(path: Path, folder: Path) -> list[str]:
    """Write every table as Parquet (ZSTD); return a line about each.

    Raises:
        LedgerError: there is no ledger, or the folder holds such files already.
    """
    taken = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
    if taken:
        raise LedgerError(f"{taken[0]} is there already; name an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    with Ledger(path, read_only=True) as ledger:
        counts = {name: ledger.export(name, folder / f"{name}.parquet") for name in tables()}
    return [f"{folder / name}.parquet: {count:,} rows" for name, count in counts.items()]


def as_table(found: list[dict[str, object]]) -> str:
    """Align rows under their column names."""
    if not found:
        return "(no rows)"
    lines = [list(found[0])] + [
        ["" if v is None else str(v) for v in row.values()] for row in found
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([text[0], "  ".join("-" * width for width in widths), *text[1:]])
