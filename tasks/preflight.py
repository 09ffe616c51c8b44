"""Ask a variant's server three questions before hours are spent; name the guilty if it fails."""

from collections.abc import Mapping
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.suites.preflight import (
    QUESTIONS,
    TELL,
    Axis,
    Reply,
    ask_all,
    checks_of,
    guilty_axis,
)
from reports.kept.recorder import BASELINE
from tasks.run import Run
from tasks.serve import launch_of, raised
from variants.engines.endpoint import Endpoint
from variants.errors import EngineError
from variants.specs.ladder import changes_weights
from variants.specs.spec import Serving

Answered = Mapping[str, bool]
START = "start"  # the first thing that may fail


@task(cache_policy=NO_CACHE, log_prints=True)
def preflight(run: Run, variant: str, endpoint: Endpoint) -> None:
    """Ask on the server that runs; other servers are started only where it fails."""
    with run.timeline.stage("preflight"):
        replies = ask_all(endpoint, run.study.first_token_deadline_s * 4)
        axes = _blamed(run, variant, replies)
    checks = checks_of(replies, axes)
    run.recorder.keep_all(variant, "check.preflight", checks)
    for check in checks:
        print(f"{variant}: preflight {check.reason}")


def _blamed(run: Run, variant: str, replies: Mapping[str, Reply]) -> dict[str, Axis]:
    failed = [name for name, reply in replies.items() if not reply.is_answered]
    if not failed:
        return {}
    same, plain, baseline = _ablations(run, variant)
    return {name: guilty_axis(same[name], plain[name], baseline[name]) for name in failed}


def _ablations(run: Run, variant: str) -> tuple[Answered, Answered, Answered]:
    """Ask the baseline's artifact with the same setting, the variant's plainly, and neither.

    A variant that changes one thing alone needs one server: the plain baseline is both of it.
    """
    own, base = run.spec(variant), run.spec(BASELINE)
    ours, theirs = run.artifact(variant), run.artifact(BASELINE)
    baseline = _answered(run, theirs, base.serving, f"{variant}-preflight-baseline")
    fails = dict.fromkeys(baseline, False)
    if not changes_weights(own):
        return fails, baseline, baseline
    if own.serving == base.serving:
        return baseline, fails, baseline
    same = _answered(run, theirs, own.serving, f"{variant}-preflight-setting")
    plain = _answered(run, ours, base.serving, f"{variant}-preflight-artifact")
    return same, plain, baseline


def _answered(run: Run, artifact: Path, serving: Serving, log: str) -> Answered:
    """Say which questions one server answers; one that does not start answers none."""
    try:
        with raised(run, launch_of(run, artifact, serving), log) as endpoint:
            replies = ask_all(endpoint, run.study.first_token_deadline_s * 4)
    except EngineError as error:
        print(f"{log}: {error}")
        return dict.fromkeys((START, *(one.name for one in QUESTIONS)), False)
    return {START: True} | {name: reply.is_answered for name, reply in replies.items()}


def blame_start(run: Run, variant: str) -> str:
    """Say whose fault it is that a variant's engine did not start, where the baseline's does."""
    own, base = run.spec(variant), run.spec(BASELINE)
    if not changes_weights(own):
        return TELL["setting"]
    if own.serving == base.serving:
        return TELL["artifact"]
    same, plain, baseline = _ablations(run, variant)
    return TELL[guilty_axis(same[START], plain[START], baseline[START])]
