"""Small views for tests of single sections: named arms, and what was measured of each."""

from collections.abc import Mapping, Sequence
from typing import cast

from evals.gates.decision import Decision
from evals.gates.verdict import Verdict
from evals.results import Artifact, Cell, Evidence, Memory, Payload, Result, Sample, SuiteResult
from evals.study import Study
from evals.workload.cell import CellSpec
from evals.workload.workload import Workload
from reports.blocks import Block, Table
from reports.kept.entries import Stage
from reports.view import BASELINE, Told, View, build_view
from tests.reports import fixture, judged
from variants.fingerprint import sha256_text

Measured = Mapping[str, Sequence[Result]]


def study_of(*cells: CellSpec, **fields: object) -> Study:
    """Return a study of these cells, closed-1 where none is given."""
    workload = Workload(cells=cells or (CellSpec(closed=1),))
    return Study.model_validate(
        {"name": fixture.STUDY, "base": "smollm2-135m-instruct", "variants": ("fast",),
         "workload": workload} | fields
    )  # fmt: skip


def view_of(
    study: Study,
    measured: Measured,
    decisions: Sequence[Decision] = (),
    stages: tuple[Stage, ...] = (),
) -> View:
    """Return the view of arms by name; the baseline is the one of that name."""
    evidence = tuple(
        Evidence(
            study=fixture.STUDY,
            run=fixture.RUN,
            variant=name,
            change_class="8-bit",
            model_class="up to 3B",
            records=tuple(
                fixture.record(name, f"step-{at}", cast(Payload, payload))
                for at, payload in enumerate(payloads)
            ),
        )
        for name, payloads in measured.items()
    )
    told = Told(
        study, fixture.RUN, fixture.BASE, fixture.AT, evidence, tuple(decisions), stages=stages
    )
    return build_view(told)


def empty() -> View:
    """Return the view of a run that measured nothing."""
    return build_view(Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, (), ()))


def cell(
    arm: str,
    name: str = "closed-1",
    repeat: int = 0,
    engine: Mapping[str, float | None] | None = None,
    metrics: Mapping[str, float] | None = None,
) -> Cell:
    """Return one repeat of a cell with these figures of the engine and of the client."""
    return Cell(
        name=name, arm="baseline" if arm == BASELINE else "variant", repeat=repeat, order=repeat,
        num_offered=10, num_ok=10, window_s=8.0, metrics=dict(metrics or {}),
        engine=dict(engine or {}), traces_sha256=sha256_text(f"{arm} {name} {repeat}"),
    )  # fmt: skip


def memory(arm: str, weights: int, kv_cache: int | None) -> Memory:
    """Return what an engine loaded, in bytes."""
    return Memory(
        arm="baseline" if arm == BASELINE else "variant", predicted_weight_bytes=weights,
        predicted_kv_cache_bytes=kv_cache or 0, weight_bytes=weights, kv_cache_bytes=kv_cache,
    )  # fmt: skip


def artifact(name: str, seconds: float, was_cached: bool = False) -> Artifact:
    """Return what took so long to build."""
    return Artifact(
        fingerprint=name, files={}, num_bytes=1, weight_bytes=1, effective_bits=8.0,
        build_seconds=seconds, was_cached=was_cached, tools={},
    )  # fmt: skip


def suite(arm: str, name: str, *samples: Sample) -> SuiteResult:
    """Return one arm's written answers."""
    return SuiteResult(
        suite=name, arm="baseline" if arm == BASELINE else "variant", path="engine", chance=0.25,
        num_issued=len(samples), samples=samples, items_sha256="0" * 64, rule="greedy, as asked",
        seconds=1.0,
    )  # fmt: skip


def sample(item: str, is_correct: bool | None, error: str | None = None, **more: object) -> Sample:
    """Return one answer."""
    fields = {"item": item, "cluster": item, "prompt_sha256": "0" * 64, "is_correct": is_correct,
              "error": error}  # fmt: skip
    return Sample.model_validate(fields | more)


def decided(variant: str, outcome: str, *verdicts: Verdict, **fields: object) -> Decision:
    """Decide a variant by the last of these verdicts."""
    shared = {
        "outcome": outcome, "verdicts": verdicts, "gains": (), "cells": (),
        "deciding_gate": verdicts[-1].gate if verdicts else None,
        "reason": verdicts[-1].reason if verdicts else "as a whole",
    }  # fmt: skip
    return judged.decided(variant, **(shared | fields))


def table(blocks: Sequence[Block], at: int = 0) -> Table:
    """Return the table at that place among the tables."""
    return [block for block in blocks if isinstance(block, Table)][at]


def rows(found: Table) -> list[list[str]]:
    """Return the texts of a table."""
    return [[value.text for value in row] for row in found.rows]


def notes(found: Table) -> list[list[str]]:
    """Return the second lines of a table."""
    return [[value.note for value in row] for row in found.rows]
