"""Explain a policy, or judge exported evidence: `python -m evals.gates --help`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from evals.gates.champion import exit_code
from evals.gates.decision import Decision, decide
from evals.gates.explain import explain
from evals.gates.policy import load_policy
from evals.results import Evidence
from evals.study import Study
from evals.yaml_file import read_mapping
from variants.errors import QualificationError, StudyError

Model = TypeVar("Model", bound=BaseModel)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; exit codes: 0 promote, 10 reject, 20 hold, 2 error."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.command == "explain":
            print(explain(load_policy(asked.policy)))
            return 0
        decision = _judge(asked.file, asked.study, asked.policy)
    except QualificationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(decision.model_dump_json(indent=2) if asked.json else _in_words(decision))
    return exit_code([decision])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.gates", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    told = commands.add_parser("explain", help="say a policy in plain words, with the n it needs")
    told.add_argument("policy", help="a policy's name, or the path of a .yaml file")
    judged = commands.add_parser("judge", help="decide on the evidence of one variant")
    judged.add_argument("file", type=Path, help="exported Evidence, JSON")
    judged.add_argument("--study", type=Path, required=True, help="the study's YAML")
    judged.add_argument("--policy", help="instead of the one the study names")
    judged.add_argument("--json", action="store_true", help="print the whole decision")
    return parser


def _judge(file: Path, study_file: Path, policy: str | None) -> Decision:
    evidence = _read(file, Evidence)
    study = _read(study_file, Study)
    return decide(study, load_policy(policy or study.policy), evidence)


def _read(file: Path, model: type[Model]) -> Model:
    try:
        if file.suffix == ".json":
            return model.model_validate_json(file.read_text())
        return model.model_validate(read_mapping(file, model.__name__.lower()))
    except (OSError, ValidationError) as error:
        raise StudyError(f"{file} is no {model.__name__}: {error}") from error


def _in_words(decision: Decision) -> str:
    lines = [f"{decision.outcome} {decision.variant}: {decision.reason} ({decision.margin})"]
    lines += [
        f"  {verdict.outcome:<14} {verdict.gate} ({verdict.tier}): {verdict.reason}"
        for verdict in decision.verdicts
    ]
    lines += [f"  not asked      {gate}" for gate in decision.not_asked]
    lines += [f"  would settle   {line}" for line in decision.settle]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
