"""Latencies of all requests of a run, aggregated from their Parquet files (adapter: duckdb).

One statement per latency reads all files, so a million requests cost seconds and no row of them
comes to Python. Definitions: `evals.performance.latency`. Requests that did not end ok are no
latency; they are counted. A file that is missing, or is not what its digest says, is told as lost
and takes nothing else with it.

Example: scheduled at 0, first read (1 token) at 100 ms, last token (the 11th) at 600 ms: ttft_ms
100, tpot_ms 500 / 10 = 50, e2e_ms 600.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import duckdb

from evals.results import Cell
from reports.figures.latencies import (
    PROBABILITIES,
    Distribution,
    LostTraces,
    Outcomes,
    Quantiles,
    tails_of,
)
from reports.figures.repeats import repeats_of
from reports.view import Arm, Told, build_view
from variants.errors import LedgerError

Find = Callable[[str], Path]  # the verified Parquet file of a digest, else a LedgerError
NUM_AFTER = "output_tokens - coalesce(first_read_tokens, 1)"
LATENCIES = {
    "ttft_ms": "(first_token_ns - scheduled_ns) / 1e6",
    "tpot_ms": f"CASE WHEN {NUM_AFTER} >= 1 "
    f"THEN (last_token_ns - first_token_ns) / 1e6 / ({NUM_AFTER}) END",
    # an answer that came whole has no first token, and is complete when it ended
    "e2e_ms": "(CASE WHEN first_token_ns IS NULL THEN end_ns ELSE last_token_ns END - scheduled_ns)"
    " / 1e6",
}
FILES = "SELECT unnest($paths) AS path, unnest($groups) AS place, unnest($repeats) AS turn"
READ = "read_parquet($read, filename = true) JOIN files ON filename = path"
QUANTILES = f"""
    WITH files AS ({FILES}), requests AS (
        SELECT place, turn, {{latency}} AS ms FROM {READ} WHERE is_judged AND outcome = 'ok'
    )
    SELECT place, count(*), quantile_cont(ms, {list(PROBABILITIES)}), grouping(turn) AS is_pooled
    FROM requests WHERE ms IS NOT NULL GROUP BY GROUPING SETS ((place), (place, turn)) ORDER BY turn
"""
OUTCOMES = f"""
    WITH files AS ({FILES})
    SELECT place, outcome, count(*) FROM {READ} WHERE is_judged GROUP BY ALL ORDER BY outcome
"""
COLUMNS = "SELECT filename, is_judged, outcome, {} FROM read_parquet([?], filename = true) LIMIT 0"
MAX_THREADS = 2  # each holds pages of its own; two read a million requests in seconds


class _Group(NamedTuple):
    """One arm in one cell."""

    arm: str
    cell: str


class _File(NamedTuple):
    """The traces of one repeat."""

    group: _Group
    repeat: str
    path: str
    is_valid: bool


def with_latencies(told: Told, find: Find) -> Told:
    """Add how long the requests of every arm and cell took, and how they ended."""
    arms = build_view(told).arms
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {MAX_THREADS}")
        files, lost = _found(connection, arms, find)
        return replace(
            told,
            distributions=_distributions(connection, [one for one in files if one.is_valid]),
            outcomes=_outcomes(connection, files, lost),
        )


def _found(
    connection: duckdb.DuckDBPyConnection, arms: Iterable[Arm], find: Find
) -> tuple[list[_File], dict[_Group, list[LostTraces]]]:
    """Look for every repeat's file; every group is named in what is lost, mostly with nothing."""
    files: list[_File] = []
    lost: dict[_Group, list[LostTraces]] = {}
    for arm in arms:
        for label, cell in repeats_of(arm):
            group = _Group(arm.name, cell.name)
            missing = lost.setdefault(group, [])
            try:
                path = _readable(connection, find, cell)
                files.append(_File(group, label, path, not cell.invalid))
            except (LedgerError, duckdb.Error) as error:
                missing.append(LostTraces(label, str(error)))
    return files, lost


def _readable(connection: duckdb.DuckDBPyConnection, find: Find, cell: Cell) -> str:
    path = str(find(cell.traces_sha256))
    connection.execute(COLUMNS.format(", ".join(LATENCIES.values())), [path])
    return path


def _asked(files: Sequence[_File], groups: Sequence[_Group]) -> dict[str, list[str] | list[int]]:
    places = {group: at for at, group in enumerate(groups)}
    paths = [one.path for one in files]
    return {
        "read": list(dict.fromkeys(paths)),  # the same traces twice are read once
        "paths": paths,
        "groups": [places[one.group] for one in files],
        "repeats": [one.repeat for one in files],
    }


def _distributions(
    connection: duckdb.DuckDBPyConnection, files: Sequence[_File]
) -> tuple[Distribution, ...]:
    if not files:
        return ()
    groups = list(dict.fromkeys(one.group for one in files))
    found: list[Distribution] = []
    for metric, latency in LATENCIES.items():
        statement = QUANTILES.format(latency=latency)
        rows = connection.execute(statement, _asked(files, groups)).fetchall()
        pooled = {at: Quantiles(n, tuple(ms)) for at, n, ms, is_pooled in rows if is_pooled}
        repeats: dict[int, list[Quantiles]] = {}
        for at, n, ms, is_pooled in rows:
            if not is_pooled:
                repeats.setdefault(at, []).append(Quantiles(n, tuple(ms)))
        for at in sorted(pooled):
            n, quantiles_ms = pooled[at]
            tails = tails_of(pooled[at], repeats[at])
            arm, cell = groups[int(at)]
            found.append(Distribution(arm, cell, metric, n, quantiles_ms, tails))
    return tuple(found)


def _outcomes(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[_File],
    lost: dict[_Group, list[LostTraces]],
) -> tuple[Outcomes, ...]:
    groups = list(lost)
    rows = connection.execute(OUTCOMES, _asked(files, groups)).fetchall() if files else []
    return tuple(
        Outcomes(
            *group,
            counts=tuple((outcome, num) for place, outcome, num in rows if place == at),
            lost=tuple(lost[group]),
        )
        for at, group in enumerate(groups)
    )
