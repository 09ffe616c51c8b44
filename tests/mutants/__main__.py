"""Make the mutants, qualify them, and print what came of each: `make mutants`.

1 if any does not agree with what was expected of it. The seed is printed: with `--seed` the same
faults are made again.
"""

import argparse
import json
import secrets
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from evals.gates import Decision
from evals.study import VariantEntry
from tests.mutants.bench import Bench, clear, own_home, set_bench
from tests.mutants.judging import Line, lines_of, render
from tests.mutants.mutant import Mutant
from tests.mutants.running import decisions_of, run_study
from tests.mutants.studies import OWN, study_of, write_study
from tests.mutants.table import MUTANTS
from variants.home import Home

MOST_SEEDS = 10**6


def main(arguments: Sequence[str] | None = None) -> int:
    """Take every mutant, or those named, through the pipeline."""
    asked = _parser().parse_args(arguments)
    seed = secrets.randbelow(MOST_SEEDS) if asked.seed is None else asked.seed
    mutants = [one for one in MUTANTS if not asked.only or one.name in asked.only]
    home = own_home(Home.from_environment())
    print(f"{len(mutants)} mutants, seed {seed}; state in {home.root}")
    started = time.monotonic()
    bench = set_bench(home, seed)
    try:
        lines = _tried(mutants, home, bench)
    finally:
        clear(home, bench)
    print(f"\n{render(lines)}seed {seed}, {(time.monotonic() - started) / 60:.0f} minutes")
    _keep(lines, seed, home)
    return 1 if any(one.objection for one in lines) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, help="of every draw; default: a fresh one")
    names = [one.name for one in MUTANTS]
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help=f"of {names}")
    return parser


def _tried(mutants: Sequence[Mutant], home: Home, bench: Bench) -> list[Line]:
    decisions: dict[str, Decision] = {}
    told: dict[str, str] = {}
    for name in OWN:
        entries: list[VariantEntry] = []
        for mutant in (one for one in mutants if one.study == name):
            made = mutant.make(mutant.name, bench)
            entries.append(made.entry)
            told[mutant.name] = made.how
            print(f"{mutant.name}: {made.how}; expected: {mutant.expect.words}")
        if entries:
            study = study_of(name, entries, bench.seed, bench.folder)
            run = run_study(write_study(study, bench.folder), home)
            decisions |= decisions_of(run, home)
    return lines_of(mutants, told, decisions)


def _keep(lines: Sequence[Line], seed: int, home: Home) -> None:
    """Write the table beside the runs."""
    path = home.root / "passes" / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{seed}.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps({"seed": seed, "lines": [one.model_dump() for one in lines]}, indent=1)
    path.write_text(text, encoding="utf-8")
    print(f"kept in {path}")


if __name__ == "__main__":
    sys.exit(main())
