"""Look at a suite while it is asked: whether more items could still change the verdict."""

from evals.gates.looks import BaselineLook, VariantLook
from evals.results import Path, SuiteResult
from evals.suites.assignment import Assignment
from evals.suites.blocks import Look, block_ends, go_on
from evals.suites.naming import suite_of
from reports.kept.recorder import BASELINE
from tasks.judge import model_class
from tasks.run import Run
from variants.specs.ladder import change_class


def look_of(run: Run, variant: str, assignment: Assignment, smallest: int) -> Look:
    """Return how one arm of a variant is looked at; without a baseline beside it, it goes on."""
    if assignment.arm == "baseline":
        return BaselineLook(run.policy)
    baseline = answered(run, suite_of(assignment.suite).id, assignment.path)
    if assignment.arm == "null" or baseline is None:
        return go_on
    planned = baseline.num_planned or baseline.num_issued
    return VariantLook(
        policy=run.policy,
        seed=run.study.seed,
        change_class=change_class(run.spec(variant)),
        model_class=model_class(run),
        baseline=baseline,
        ends=block_ends(planned, smallest),
    )


def answered(run: Run, suite: str, path: Path) -> SuiteResult | None:
    """Return what the baseline answered on a path, if it was asked."""
    found = run.recorder.find(BASELINE, f"suite.{suite}.{path}.baseline")
    return found if isinstance(found, SuiteResult) else None


def is_given_up(run: Run, suite: str, path: Path) -> bool:
    """Whether the baseline is at the floor, so that nobody else need be asked."""
    found = answered(run, suite, path)
    if found is None or found.stopped != "floor":
        return False
    print(f"{suite} through the {path}: the baseline has nothing to lose; not asked")
    return True
