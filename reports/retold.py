"""Tell a run again from what it has left: its folder and the store's evidence, and nothing else.

No ledger is opened and nothing of this machine is asked: what the machine was, and which commands
run the study again, is what the run wrote down when it began (`reports.kept.entries.Setting`). A
run of an earlier version wrote none: it is told as not recorded.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from evals.gates.decision import Decision
from evals.results import Evidence
from evals.study import Study
from evals.study_file import baseline_spec, variant_specs
from reports.figures.distributions import with_latencies
from reports.kept.entries import Promotion, RunEnd, Setting, Stage
from reports.kept.recorder import Recorder
from reports.kept.run_files import decisions_of, last_of, study_of
from reports.kept.timeline import Timeline
from reports.view import Told
from reports.words.variant_words import variant_words
from variants.errors import LedgerError
from variants.hardware import Accelerator, Hardware
from variants.home import Home
from variants.kept.store import Store

GIB = 1 << 30
UNRECORDED = (("Machine", "not recorded: the run was begun by an earlier version"),)


def told_of(home: Home, run: str, written_at: str | None = None) -> Told:
    """Gather everything a report of one run is made from; `written_at` is now unless given.

    A variant that left evidence and was never judged is told as such.

    Raises:
        LedgerError: no such run, nothing was decided in it, or a piece does not verify or cannot
            be read by this version.
    """
    study, decisions = study_of(home, run), decisions_of(home, run)
    evidence, setting = _evidence(home, study, run, decisions), last_of(home, run, Setting)
    told = Told(
        study=study,
        run=run,
        base=baseline_spec(study).base,
        written_at=written_at or datetime.now(UTC).isoformat(timespec="seconds"),
        evidence=evidence,
        decisions=tuple(decisions[e.variant] for e in evidence if e.variant in decisions),
        promotion=last_of(home, run, Promotion),
        stages=_stages(home, run),
        changes=changes_of(study),
        machine=_facts(setting) if setting else UNRECORDED,
        commands=setting.commands if setting else (),
        policy=setting.policy if setting else None,
    )
    return with_latencies(told, Store(home.store).blob)


def _evidence(
    home: Home, study: Study, run: str, decisions: Mapping[str, Decision]
) -> tuple[Evidence, ...]:
    """Collect the baseline's evidence, and that of every variant the run has begun with."""
    specs = variant_specs(study)
    if unknown := sorted(decisions.keys() - specs.keys()):
        raise LedgerError(
            f"run {run!r} decided on {unknown}, and its study makes {sorted(specs)} with this "
            "version; read it with the version that wrote it"
        )
    if not decisions:
        raise LedgerError(f"nothing was decided in run {run!r}; let it end, or resume it")
    model_class = next(iter(decisions.values())).model_class
    recorder = Recorder(Store(home.store), study, run)
    begun = {record.variant for _, record in recorder.records()} | decisions.keys()
    told = (spec for name, spec in specs.items() if name in begun)
    return tuple(recorder.evidence(spec, model_class) for spec in (baseline_spec(study), *told))


def changes_of(study: Study) -> tuple[tuple[str, str], ...]:
    """Say what each variant changes."""
    baseline = baseline_spec(study)
    specs = variant_specs(study)
    return tuple((name, variant_words(spec, baseline)) for name, spec in specs.items())


def _stages(home: Home, run: str) -> tuple[Stage, ...]:
    """Take the seconds from the run's folder, or as they were when it ended."""
    stages = Timeline(home.run(run) / "stages.jsonl").stages()
    end = None if stages else last_of(home, run, RunEnd)
    return end.stages if end else stages


def _facts(setting: Setting) -> tuple[tuple[str, str], ...]:
    """Say what the machine was, and what was installed."""
    return (
        *hardware_facts(setting.hardware),
        ("Tools", _listed(setting.tools)),
        ("Lists of engine packages", _listed(setting.engines)),
        ("Begun", setting.at),
    )


def hardware_facts(hardware: Hardware) -> tuple[tuple[str, str], ...]:
    """Read a machine: name of the fact -> value with its unit."""
    accelerators = "; ".join(map(_accelerator, hardware.accelerators))
    return (
        ("Target", hardware.target),
        ("Processor", f"{hardware.cpu_model}, {hardware.num_cores} cores"),
        ("Instruction sets", ", ".join(hardware.cpu_flags) or "none that decides a kernel"),
        ("Memory", f"{hardware.memory_bytes / GIB:.1f} GiB"),
        ("Accelerators", accelerators or "none"),
        ("System", f"{hardware.os}, Python {hardware.python}"),
    )


def _accelerator(one: Accelerator) -> str:
    return (
        f"{one.name}, {one.memory_bytes / GIB:.1f} GiB, compute capability "
        f"{one.compute_capability}, driver {one.driver}, {one.uuid}"
    )


def _listed(named: dict[str, str]) -> str:
    return ", ".join(f"{name} {what}" for name, what in sorted(named.items()))
