"""Export what each decision of a run was made from: one case per variant, judged anywhere.

`python -m reports.export RUN` reads evidence alone; `python -m evals.gates judge FILE` decides it.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from evals.gates import Case, Decision, Waiver, judge_case, load_policy
from evals.study_file import variant_specs
from reports.kept.recorder import Recorder
from reports.kept.run_files import decisions_of, study_of
from reports.waivers import read_waivers
from variants.command import ended
from variants.errors import LedgerError
from variants.fingerprint import fingerprint
from variants.home import Home
from variants.kept.durable import write_bytes
from variants.kept.store import Store


def cases(home: Home, run: str) -> Iterator[tuple[Decision, Case]]:
    """Yield every decision of a run beside the case it was made from.

    Raises:
        LedgerError: no such run, or nothing was decided in it.
    """
    study, decisions = study_of(home, run), decisions_of(home, run)
    if not decisions:
        raise LedgerError(f"nothing was decided in run {run!r}; let it end, or resume it")
    recorder, specs = Recorder(Store(home.store), study, run), variant_specs(study)
    for decision in decisions.values():
        yield (
            decision,
            Case(
                study=study,
                policy=load_policy(study.policy),
                evidence=recorder.evidence(specs[decision.variant], decision.model_class),
                waivers=_known_then(read_waivers(home.waivers, study.name), decision.judged_at),
                at=decision.judged_at,
            ),
        )


def _known_then(waivers: Sequence[Waiver], at: str | None) -> tuple[Waiver, ...]:
    """Leave out what was granted after the decision."""
    if at is None:
        return ()
    then = datetime.fromisoformat(at)
    return tuple(one for one in waivers if datetime.fromisoformat(one.granted_at) <= then)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one case per variant of a run; exit codes: 0 all as in the ledger, 1 not, 2 error."""
    parser = argparse.ArgumentParser(prog="python -m reports.export", description=main.__doc__)
    parser.add_argument("run", help="name of the run")
    parser.add_argument("--to", type=Path, default=Path(), help="folder; default: here")
    asked = parser.parse_args(arguments)
    return ended(lambda: _export(asked.run, asked.to), error_code=2)


def _export(run: str, folder: Path) -> int:
    """Write the cases, and say of each whether it is decided as it was."""
    is_same = True
    for decision, case in cases(Home.from_environment(), run):
        path = folder / f"{run}.{decision.variant}.case.json"
        write_bytes(path, case.model_dump_json().encode())
        print(f"{path}: {decision.outcome}, decision {fingerprint(decision)} in the ledger")
        now = judge_case(case)
        if now != decision:
            is_same = False
            print(
                f"warning: judged now it is {now.outcome}: {now.reason}; what was exported is not "
                "what the decision was made from",
                file=sys.stderr,
            )
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
