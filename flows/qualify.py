"""Qualify the variants of a study: build, audit, serve, profile, evaluate, judge, promote, tell.

`python -m flows.qualify STUDY [--only VARIANT] [--resume RUN] [--dry-run]`
"""

import sys
from pathlib import Path

from prefect import flow

from evals.gates import Decision, exit_code
from evals.gates.champion import ON_HOLD, PROMOTED
from evals.planning.answerable import unanswerable
from evals.results import Check
from evals.study import Study
from evals.study_file import load_study, variant_specs
from flows.again import commands_of
from flows.children import decide_elsewhere
from flows.promotion import promote_champion, recover_channels
from flows.variant import qualify_variant
from reports.kept.entries import Promotion
from reports.kept.recorder import BASELINE
from tasks.announce import REJECTED, announce, announced
from tasks.audit import audit
from tasks.build import build
from tasks.compare import drop_reference, write_reference
from tasks.fetch import fetch_suite_data, install_engine
from tasks.judge import judge
from tasks.note import note
from tasks.run import Run, begin_run, open_run
from tasks.tell import end, now, record, report, summary
from variants.engines.device import hold_device
from variants.errors import BuildError, StudyError
from variants.home import Home

STUDIES = Path(__file__).parent / "studies"


@flow(name="qualify", log_prints=True)
def qualify(
    study: Study | str = "smollm2-cpu",
    only: str | None = None,
    resume: str | None = None,
    children: str | None = None,
) -> int:
    """Run a whole study; returns the exit code of its outcome.

    Args:
        study: a study's name, its YAML file, or the study itself.
        only: one of its variants; then no channel is moved.
        resume: a run that was stopped, to go on with.
        children: a deployment of `qualify-variant`: each variant runs on its pool.
    """
    started_at = now()
    loaded = study if isinstance(study, Study) else load_study(study, STUDIES)
    names = chosen(loaded, only)
    with hold_device(loaded.target):
        run = begin(loaded, resume, names)
        if children is None:
            decisions = [decide_on(loaded, run.name, name) for name in names]
            promotion = promoted(loaded, run.name, decisions, only)
    if children is not None:  # each holds the device of its own machine
        decisions = decide_elsewhere(loaded, run.name, names, children)
        with hold_device(loaded.target):
            promotion = promoted(loaded, run.name, decisions, only)
    return conclude(open_run(loaded, run.name), decisions, promotion, started_at)


def begin(study: Study, resume: str | None, names: list[str]) -> Run:
    """Begin a run, or go on with one: say what it is, and make what all variants need."""
    recover_channels(Home.from_environment())
    run = open_run(study, begin_run(study, resume))
    print(f"run {run.name} of study {study.name}: {', '.join(names)}; state in {run.home.root}")
    for lack in unanswerable(study, run.policy):
        print(f"warning: no variant can be promoted: {lack}")
    note(run, commands_of(study, run.name, STUDIES))
    prepare(run)
    return run


def promoted(
    study: Study, run_name: str, decisions: list[Decision], only: str | None
) -> Promotion | None:
    """Move the channel to what passed; a variant alone moves none."""
    return None if only else promote_champion(open_run(study, run_name), decisions)


def prepare(run: Run) -> None:
    """Make what all variants need: engine, baseline, data, reference."""
    install_engine(run, BASELINE)
    build(run, BASELINE)
    audit(run, BASELINE)
    require_baseline(run)
    fetch_suite_data(run)
    write_reference(run)


def require_baseline(run: Run) -> None:
    """Stop the study if what everything is compared with is not whole.

    Raises:
        BuildError: with the first check of the baseline that did not pass.
    """
    failed = [
        record.payload.reason
        for _, record in run.recorder.records()
        if record.variant == BASELINE
        and isinstance(record.payload, Check)
        and not record.payload.passed
    ]
    if failed:
        raise BuildError(f"the baseline is not whole, nothing can be compared with it: {failed[0]}")


def decide_on(study: Study, run_name: str, variant: str) -> Decision:
    """Qualify one variant; if its flow breaks down, the others go on and it is on hold."""
    state = qualify_variant(study, run_name, variant, return_state=True)
    if state.is_completed():
        decision: Decision = state.result()
        return decision
    run = open_run(study, run_name)
    check = Check(stage="plan", name="pipeline", passed=None, reason=f"broke down: {state.message}")
    run.recorder.keep(variant, "check.pipeline", check)
    return judge(run, variant)


def conclude(
    run: Run, decisions: list[Decision], promotion: Promotion | None, started_at: str
) -> int:
    """Record, report, and print what was decided."""
    code = exit_code(decisions)
    is_whole = len(decisions) == len(variant_specs(run.study))
    if code == PROMOTED and is_whole and (promotion is None or promotion.action == "rollback"):
        code = ON_HOLD  # something passed every gate, and nothing stands in the channel
    record(run, decisions)
    for decision in decisions:
        if decision.outcome == "REJECT":
            announce(REJECTED, f"variant.{decision.variant}", **announced(decision))
    path = report(run)
    end(run, started_at, code)
    drop_reference(run)
    # plain, on standard output: what a person, or a script, reads without log prefixes
    sys.stdout.write(summary(run, decisions, path))
    return code


def chosen(study: Study, only: str | None) -> list[str]:
    """Return the names of the variants to qualify, all of them or one.

    Raises:
        StudyError: the study has no such variant.
    """
    names = list(variant_specs(study))
    if only is None:
        return names
    if only not in names:
        raise StudyError(
            f"study {study.name!r} has no variant {only!r}; it has: {', '.join(names)}"
        )
    return [only]


if __name__ == "__main__":
    from flows.command import main  # it imports this module

    main()
