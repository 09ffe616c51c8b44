"""Explain a policy, judge an exported case, or print the schema: `python -m evals.gates --help`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.gates.case import judge_case, read_case
from evals.gates.champion import exit_code
from evals.gates.decision import Decision
from evals.gates.explain import explain
from evals.gates.policy import Policy, load_policy
from variants.command import ended
from variants.fingerprint import fingerprint


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; exit codes: 0 promote, 10 reject, 20 hold, 2 error."""
    asked = _parser().parse_args(arguments)
    return ended(lambda: _run(asked), error_code=2)


def _run(asked: argparse.Namespace) -> int:
    if asked.command == "schema":
        print(json.dumps(Policy.model_json_schema(), indent=1, sort_keys=True))
        return 0
    if asked.command == "explain":
        print(explain(load_policy(asked.policy)))
        return 0
    policy = load_policy(asked.policy) if asked.policy else None
    decision = judge_case(read_case(asked.file), policy)
    print(decision.model_dump_json(indent=2) if asked.json else in_words(decision))
    if policy:
        print("this is what another policy would say, and no decision", file=sys.stderr)
    return exit_code([decision])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.gates", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    told = commands.add_parser("explain", help="say a policy in plain words, with the n it needs")
    told.add_argument("policy", help="a policy's name, or the path of a .yaml file")
    judged = commands.add_parser("judge", help="decide an exported case, without a server")
    judged.add_argument("file", type=Path, help="a case, JSON: python -m reports.export RUN")
    judged.add_argument("--policy", help="what another policy would say; it promotes nothing")
    judged.add_argument("--json", action="store_true", help="print the whole decision")
    commands.add_parser("schema", help="print the JSON Schema of a policy, for editors")
    return parser


def in_words(decision: Decision) -> str:
    """Say a decision: its reason, then every gate."""
    lines = [f"{decision.outcome} {decision.variant}: {decision.reason} ({decision.margin})"]
    for verdict in decision.verdicts:
        waived = f" [waived by {verdict.waived_by}]" if verdict.waived_by else ""
        lines.append(
            f"  {verdict.outcome:<14} {verdict.gate} ({verdict.tier}): {verdict.reason}{waived}"
        )
    lines += [f"  not asked      {gate}" for gate in decision.not_asked]
    lines += [f"  {cell.standing:<14} {cell.cell}: {'; '.join(cell.by)}" for cell in decision.cells]
    lines += [
        f"  would settle   {item.gate or 'evidence'}: {item.text}" for item in decision.settle
    ]
    lines += [f"  waiver refused {why}" for why in decision.refused_waivers]
    return "\n".join([*lines, f"decision {fingerprint(decision)}"])


if __name__ == "__main__":
    sys.exit(main())
