"""Turn one piece of evidence, decision or entry into rows of the ledger's tables.

A payload becomes one row whose columns are its fields, under the same names but for two that are
words of SQL; suites have a row per sample beside, distances one per slice and bucket.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from evals.gates.decision import Decision
from evals.results import Fidelity, Record, Result, SuiteResult
from reports.kept.entries import Promotion, RunEnd, Setting
from variants.fingerprint import canonical_json, fingerprint


class Row(NamedTuple):
    """A table of schema `kept`, and one row of it."""

    table: str
    values: dict[str, object]


TABLES = {
    "binding": "bindings",
    "cell": "cells",
    "suite": "suites",
    "fidelity": "fidelity",
    "check": "checks",
    "artifact": "artifacts",
    "startup": "startups",
    "memory": "memory",
    "config": "configs",
    "compilation": "compilations",
    "speculation": "speculations",
}
BESIDE = {"suite": ("samples",), "fidelity": ("slices", "positions")}  # rows of tables of their own
AS_JSON = ("gains", "settle", "waivers", "cells", "envelope")  # of a decision
SCALARS = frozenset({str, int, float, bool, type(None)})  # a column as they are
RENAMED = {
    "order": "drawn_order",
    "values": "values_json",
    "tenants": "tenants_json",
    "figures": "figures_json",
    "calibration": "calibration_json",
}


def of_record(digest: str, record: Record) -> Iterator[Row]:
    """Yield the evidence row first, then the payload's."""
    payload, owner = record.payload, _owner(digest, record)
    yield Row(
        "evidence",
        owner
        | {
            "step": record.step,
            "kind": payload.kind,
            "recorded_at": _utc(record.recorded_at),
            "path": f"{record.run}/{record.variant}/{record.step}-{digest}.json",
        },
    )
    skipped = {"kind", *BESIDE.get(payload.kind, ())}
    yield Row(TABLES[payload.kind], owner | _columns(payload, skipped))
    if isinstance(payload, Fidelity):
        yield from _of_fidelity(owner, payload)
    if isinstance(payload, SuiteResult):
        shared = owner | {"suite": payload.suite, "arm": payload.arm, "path": payload.path}
        yield from (Row("samples", shared | _columns(sample)) for sample in payload.samples)


def _of_fidelity(owner: dict[str, object], found: Fidelity) -> Iterator[Row]:
    yield from (Row("fidelity_slices", owner | _columns(one)) for one in found.slices)
    yield from (Row("fidelity_positions", owner | _columns(one)) for one in found.positions)


def of_decision(decision: Decision) -> Iterator[Row]:
    """Yield the decision's row, then one per gate."""
    owner = _owner(fingerprint(decision), decision)
    kept = {"verdicts", *AS_JSON}
    yield Row(
        "decisions",
        owner
        | _columns(decision, kept)
        | {f"{name}_json": _json(getattr(decision, name)) for name in AS_JSON},
    )
    for verdict in decision.verdicts:
        details = {"details_json": _json(verdict.details)}
        yield Row("gates", owner | _columns(verdict, {"details"}) | details)


def of_run(end: RunEnd) -> Iterator[Row]:
    """Yield the run's row, then one per stage."""
    owner: dict[str, object] = {"digest": fingerprint(end), "study": end.study, "run": end.run}
    times = {"started_at": _utc(end.started_at), "ended_at": _utc(end.ended_at)}
    yield Row("runs", owner | times | {"exit_code": end.exit_code})
    for position, stage in enumerate(end.stages):
        values = {"position": position, "stage": stage.name, "seconds": stage.seconds}
        yield Row("stages", owner | values)


def of_entry(entry: Promotion | Setting) -> Row:
    """Return the row of a move of a channel, or of how a run began."""
    return _of_setting(entry) if isinstance(entry, Setting) else _of_promotion(entry)


def _of_promotion(promotion: Promotion) -> Row:
    columns = _columns(promotion) | {"at": _utc(promotion.at)}
    return Row("promotions", {"digest": fingerprint(promotion)} | columns)


def _of_setting(setting: Setting) -> Row:
    columns = _columns(setting, {"hardware", "policy"}) | {"at": _utc(setting.at)}
    policy = setting.policy and canonical_json(setting.policy.model_dump(mode="json"))
    hardware = canonical_json(setting.hardware.model_dump(mode="json"))
    whole = {"hardware_json": hardware, "policy_json": policy}
    return Row("settings", {"digest": fingerprint(setting)} | columns | whole)


def _json(results: Sequence[Result]) -> str:
    return canonical_json([result.model_dump(mode="json") for result in results])


def _owner(digest: str, record: Record | Decision) -> dict[str, object]:
    return {
        "digest": digest,
        "study": record.study,
        "run": record.run,
        "variant": record.variant,
    }


def _columns(result: Result, skipped: set[str] | None = None) -> dict[str, object]:
    columns: dict[str, object] = {}
    for name, column in _names(type(result)):
        if name not in (skipped or ()):
            value = getattr(result, name)
            columns[column] = value if type(value) in SCALARS else _column(name, _plain(value))
    return columns


@cache
def _names(kind: type[Result]) -> tuple[tuple[str, str], ...]:
    """Pair each field with its column."""
    return tuple((name, RENAMED.get(name, name)) for name in kind.model_fields)


def _plain(value: object) -> object:
    """Dump the models inside; most fields hold none, and a dump of all takes five times as long."""
    if isinstance(value, Result):
        return value.model_dump()
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _column(name: str, value: object) -> object:
    if RENAMED.get(name, "").endswith("_json"):
        return None if value is None else json.dumps(value, sort_keys=True)
    if isinstance(value, dict):
        return sorted(value.items())  # a MAP, in one possible order
    return list(value) if isinstance(value, tuple) else value


def _utc(text: str) -> datetime:
    stamp = datetime.fromisoformat(text)
    return stamp.astimezone(UTC) if stamp.tzinfo else stamp.replace(tzinfo=UTC)
