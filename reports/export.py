"""Export what each decision of a run was made from: one case per variant, judged anywhere.

`python -m reports.export RUN` reads evidence alone; `python -m evals.gates judge FILE` decides it.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from evals.gates import Case, Decision, Waiver, judge_case, load_policy
from evals.study import Study
from evals.study_file import variant_specs
from reports.recorder import Recorder
from reports.waivers import read_waivers
from variants.command import ended
from variants.durable import write_bytes
from variants.errors import LedgerError
from variants.fingerprint import fingerprint
from variants.home import Home
from variants.store import Store


def cases(home: Home, run: str) -> Iterator[tuple[Decision, Case]]:
    """Yield every decision of a run beside the case it was made from.

    Raises:
        LedgerError: no such run, or nothing was decided in it.
    """
    store, study = Store(home.store), _study(home, run)
    decisions = _decisions(store, run)
    recorder, specs = Recorder(store, study, run), variant_specs(study)
    for decision in decisions:
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


def _study(home: Home, run: str) -> Study:
    path = home.run(run) / "study.json"
    if not path.is_file():
        known = sorted(folder.parent.name for folder in path.parent.parent.glob("*/study.json"))
        raise LedgerError(f"no run {run!r} in {home.root}; there are {known[-5:]}")
    return Study.model_validate_json(path.read_text(encoding="utf-8"))


def _decisions(store: Store, run: str) -> list[Decision]:
    """The last decision on each variant: a resumed run judges again."""
    files = [file for file in store.evidence(run) if file.step == "entry.decision"]
    damaged = [file.path.name for file in files if not file.text]
    if damaged:
        raise LedgerError(
            f"the decision {damaged[0]} of run {run!r} does not verify; restore it, or judge again "
            "with --resume"
        )
    latest = {
        file.variant: file for file in sorted(files, key=lambda file: file.path.stat().st_mtime)
    }
    if not latest:
        raise LedgerError(f"nothing was decided in run {run!r}; let it end, or resume it")
    return [Decision.model_validate_json(file.text or "") for file in latest.values()]


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
