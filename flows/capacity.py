"""How much load does each variant of a study bear? It decides nothing and promotes nothing.

`python -m flows.capacity STUDY [--variant VARIANT ...] [--start RATE] [--resume RUN]`
"""

import argparse
import sys
from collections.abc import Sequence

from prefect import flow

from evals.performance.capacity import Capacity
from evals.results import Arm, Check
from evals.study import Study
from evals.study_file import load_study
from flows.again import asked_as
from flows.qualify import STUDIES, chosen
from reports.kept.recorder import BASELINE
from tasks.build import build
from tasks.capacity import FASTEST, find_capacity
from tasks.fetch import install_engine
from tasks.note import note
from tasks.run import Run, begin_run, open_run
from tasks.serve import serve
from tasks.tell import record
from variants.command import ended
from variants.engines.device import hold_device
from variants.errors import BuildError, StudyError
from variants.running.afterwards import leave_nobody


@flow(name="capacity", log_prints=True)
def capacity(
    study: Study | str,
    variants: tuple[str, ...] = (),
    start: float = 1.0,
    resume: str | None = None,
) -> list[Capacity]:
    """Measure the baseline, and each variant asked for, one engine at a time."""
    loaded = study if isinstance(study, Study) else load_study(study, STUDIES)
    if not 0 < start <= FASTEST:
        raise StudyError(f"--start {start:g} must lie above 0 and at most {FASTEST:g} requests/s")
    for name in variants:
        chosen(loaded, name)
    with hold_device(loaded.target):
        run = open_run(loaded, begin_run(loaded, resume))
        asked = "".join(f" --variant {name}" for name in variants)
        named, remark = asked_as(loaded, STUDIES)
        note(run, [f"python -m flows.capacity {named}{asked} --start {start:g}{remark}"])
        print(f"run {run.name}: capacity of {', '.join((BASELINE, *variants))}")
        install_engine(run, BASELINE)
        found = [bear(run, name, start) for name in (BASELINE, *variants)]
    record(run, [])
    return found


def bear(run: Run, variant: str, start: float) -> Capacity:
    """Build one variant, serve it, and load it until it breaks.

    Raises:
        BuildError: it could not be built.
    """
    build(run, variant)
    check = run.recorder.find(variant, "check.build")
    if not isinstance(check, Check) or not check.passed:
        why = check.reason if isinstance(check, Check) else "it left no record"
        raise BuildError(f"{variant} was not built: {why}")
    arm: Arm = "baseline" if variant == BASELINE else "variant"
    with serve(run, variant, arm) as endpoint:
        return find_capacity(run, variant, endpoint, start)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the baseline and each variant bear."""
    parser = argparse.ArgumentParser(
        prog="python -m flows.capacity",
        description="Sweep concurrency and search the highest rate inside the study's SLO, of the "
        "baseline and of each variant named. Every cell is recorded; nothing is promoted.",
    )
    parser.add_argument("study", help="a study's name or YAML file")
    parser.add_argument("--variant", action="append", default=[], help="may be given again")
    parser.add_argument("--start", type=float, default=1.0, help="requests/s to begin with")
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped")
    asked = parser.parse_args(arguments)
    return ended(lambda: _run(asked), error_code=1)


def _run(asked: argparse.Namespace) -> int:
    leave_nobody()
    found = capacity(asked.study, tuple(asked.variant), asked.start, asked.resume)
    sys.stdout.write("\n".join(one.told() for one in found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
