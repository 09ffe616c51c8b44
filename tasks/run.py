"""One run of a study: what all its tasks share, rebuilt from the study and the run's name."""

import contextvars
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from secrets import token_hex

from evals.gates import Policy, load_policy, policy_sha256
from evals.results import Binding
from evals.study import Study, study_sha256
from evals.study_file import baseline_spec, variant_specs
from reports.kept.recorder import BASELINE, Recorder
from reports.kept.timeline import Timeline
from variants.builders.artifact import artifact_key, tool_versions
from variants.engines.environment import REQUIREMENTS
from variants.errors import StudyError
from variants.fingerprint import fingerprint
from variants.hardware import describe
from variants.home import Home
from variants.kept.durable import write_bytes
from variants.kept.store import Store
from variants.running.progress import Tell
from variants.sources import Source, fetch
from variants.specs.spec import Variant

STUDY_FILE = "study.json"


@dataclass(frozen=True, slots=True)
class Run:
    """A study under way."""

    study: Study
    name: str
    home: Home
    policy: Policy
    store: Store
    source: Source
    recorder: Recorder
    timeline: Timeline

    @property
    def folder(self) -> Path:
        """What the run leaves besides evidence."""
        return self.home.run(self.name)

    def spec(self, variant: str) -> Variant:
        """Return the spec of a variant, or of the baseline, by name."""
        baseline = baseline_spec(self.study)
        return baseline if variant == BASELINE else variant_specs(self.study)[variant]

    def artifact(self, variant: str) -> Path:
        """Return the folder of a variant's artifact."""
        return self.store.folder(artifact_key(self.source, self.spec(variant).recipe))


def new_run_name(study: Study) -> str:
    """Name a run after its study, the time, and four random digits."""
    return f"{study.name}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{token_hex(2)}"


def begin_run(study: Study, resume: str | None) -> str:
    """Make the folder of a new run, or check that a run can be resumed with this study.

    Raises:
        StudyError: no such run, or it ran another study.
    """
    home = Home.from_environment()
    name = resume or new_run_name(study)
    written = home.run(name) / STUDY_FILE
    if resume and not written.exists():
        known = sorted(path.parent.name for path in home.run("x").parent.glob(f"*/{STUDY_FILE}"))
        raise StudyError(f"no run {resume!r} to resume in {home.root}; there are {known[-5:]}")
    if resume and Study.model_validate_json(written.read_text()) != study:
        raise StudyError(
            f"run {resume!r} measured another version of study {study.name!r}; its evidence cannot "
            "be mixed with this one: start a new run, or restore the study"
        )
    if not resume:
        write_bytes(written, study.model_dump_json(indent=1).encode())
    return name


def bind_run(run: Run) -> None:
    """Bind a run to everything its evidence depends on, and refuse to go on with anything else.

    Raises:
        StudyError: the policy, the base, a tool, an engine's list or the machine has changed.
    """
    now = Binding(
        policy_sha256=policy_sha256(run.policy),
        study_sha256=study_sha256(run.study),
        base=run.source.digest,
        tools=fingerprint(tool_versions()),
        engines=fingerprint([path.read_text() for path in sorted(REQUIREMENTS.glob("*.txt"))]),
        hardware=fingerprint(describe(run.study.target).model_dump(mode="json")),
    )
    bound = run.recorder.obtain(BASELINE, "binding", lambda: now)
    was, is_now = bound.model_dump(), now.model_dump()
    changed = sorted(name.removesuffix("_sha256") for name in was if was[name] != is_now[name])
    if changed:
        raise StudyError(
            f"run {run.name!r} was begun with other {', '.join(changed)}: evidence of both cannot "
            "be mixed; start a new run, or restore what was changed"
        )


def open_run(study: Study, name: str) -> Run:
    """Open a run from its name; cheap once the base has been fetched."""
    home = Home.from_environment()
    store = Store(home.store)
    run = Run(
        study=study,
        name=name,
        home=home,
        policy=load_policy(study.policy),
        store=store,
        source=fetch(baseline_spec(study).base, home.sources),
        recorder=Recorder(store, study, name),
        timeline=Timeline(home.run(name) / "stages.jsonl"),
    )
    bind_run(run)
    return run


def teller() -> Tell:
    """Print from any thread as this task does: its context is what Prefect goes by."""
    return partial(contextvars.copy_context().run, print)
