"""Tell what a run found: ledger, report, and the table on the screen."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.gates import Decision
from evals.results import SuiteResult
from reports.figures.savings import Savings, savings
from reports.figures.suite_table import suite_table
from reports.index import write_index
from reports.kept.entries import RunEnd, Setting
from reports.kept.run_files import entries_of
from reports.ledger import Ledger
from reports.page import write_all
from reports.retold import told_of
from reports.view import build_view
from tasks.run import Run
from tasks.show import show, softly


@task(cache_policy=NO_CACHE, log_prints=True, retries=6, retry_delay_seconds=10)
def record(run: Run, decisions: Sequence[Decision]) -> None:
    """Bring the ledger up to date with the run's evidence; this is its only writer."""
    with run.timeline.stage("ledger"), Ledger(run.home.ledger) as ledger:
        ledger.append(run.recorder.records())
        for decision in decisions:
            ledger.append_decision(decision)
        for setting in entries_of(run.home, run.name, Setting):
            ledger.append_once(setting)


@task(cache_policy=NO_CACHE, log_prints=True, retries=6, retry_delay_seconds=10)
def end(run: Run, started_at: str, exit_code: int) -> None:
    """File how the run ended, and bring the index of all runs up to date."""
    ending = RunEnd(
        study=run.study.name,
        run=run.name,
        started_at=started_at,
        ended_at=now(),
        exit_code=exit_code,
        stages=run.timeline.stages(),
    )
    run.store.put_evidence(run.name, "study", "entry.end", ending.model_dump_json())
    with Ledger(run.home.ledger) as ledger:
        ledger.append_run(ending)
    softly("index of runs", lambda: write_index(run.home))


@task(cache_policy=NO_CACHE, log_prints=True)
def report(run: Run) -> Path:
    """Write the report as HTML, JSON and Markdown, from evidence alone, and show it in Prefect."""
    with run.timeline.stage("report"):
        view = build_view(told_of(run.home, run.name, now()))
        path = write_all(view, run.home.report(run.name))
    show(view, path)
    return path


def summary(run: Run, decisions: Sequence[Decision], path: Path) -> str:
    """Say where the time went, what was decided, and where to read more."""
    return (
        f"\nwhere the time went\n{time_table(run)}\n"
        f"\nsuites (lost, margin and detectable loss in points; odds in nats per token)\n"
        f"{suite_table(decisions) or 'none was asked'}\n{_savings(run)}\n"
        f"\ndecisions of {run.name} ({margin_of(decisions)}, policy {run.policy.name})\n"
        f"{decision_table(decisions)}\n"
        f"\nreport: {path}\nledger: {run.home.ledger}\n{_certificate(run)}"
    )


def _certificate(run: Run) -> str:
    path = run.home.certificate(run.name)
    return f"certificate: {path}\n" if path.exists() else ""


def _savings(run: Run) -> Savings:
    answers: dict[str, list[SuiteResult]] = {}
    for _, record in run.recorder.records():
        found = answers.setdefault(record.variant, [])
        if isinstance(record.payload, SuiteResult):
            found.append(record.payload)
    return savings(answers)


def margin_of(decisions: Sequence[Decision]) -> str:
    """Return the accuracy margin that the decisions were judged at."""
    return ", ".join(sorted({decision.margin for decision in decisions})) or "nothing judged"


def decision_table(decisions: Sequence[Decision]) -> str:
    """Render the decisions for a terminal: one line each, with the reason that decided."""
    width = max((len(decision.variant) for decision in decisions), default=7)
    lines = [f"{'variant':<{width}}  decision  gain in objective         reason"]
    for decision in decisions:
        gain = _gain(decision)
        lines.append(
            f"{decision.variant:<{width}}  {decision.outcome:<8}  {gain:<24}  {decision.reason}"
        )
    return "\n".join(lines)


def _gain(decision: Decision) -> str:
    if not decision.gains:
        return "not measured"
    gain = decision.gains[0]
    return f"{gain.estimate:+.1%} [{gain.lower:+.1%}, {gain.upper:+.1%}]"


def time_table(run: Run) -> str:
    """Render where the time went."""
    stages = run.timeline.stages()
    total = sum(stage.seconds for stage in stages) or 1.0
    lines = [
        f"{stage.name:<20} {stage.seconds:8.1f} s  {stage.seconds / total:6.1%}" for stage in stages
    ]
    return "\n".join([*lines, f"{'all stages':<20} {total:8.1f} s"])


def now() -> str:
    """Return the time as evidence spells it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
