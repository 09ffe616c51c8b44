"""Certificates: verify one, offline; issue a run's anew; write a bill of materials.

`python -m reports.certificate verify FILE|RUN [--artifact FOLDER] [--key PUBLIC] [--elsewhere]`
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reports.certificate.changes import changes
from reports.certificate.issuing import VALID, issue
from reports.certificate.keys import trusted_key
from reports.certificate.present import present_of
from reports.certificate.signed import read_signed
from reports.certificate.statement import Qualification
from variants.command import ended
from variants.home import Home
from variants.kept.store import Store

ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify or issue certificates. Exit codes: 0 it holds, 1 it does not, 2 an error."""
    asked = _parser().parse_args(arguments)
    return ended(lambda: COMMANDS[asked.command](asked), ERROR)


def _verify(asked: argparse.Namespace) -> int:
    home, at = Home.from_environment(), datetime.now(UTC)
    named = home.certificate(asked.file)
    file = named if not Path(asked.file).exists() and named.exists() else Path(asked.file)
    statement = read_signed(file, trusted_key(home.keys, asked.key))
    bound = statement.predicate
    folder = asked.artifact or Store(home.store).folder(bound.artifact)
    problems = changes(statement, present_of(statement, folder, at, not asked.elsewhere))
    for problem in problems:
        print(f"does not hold: {problem}")
    if not problems:
        print(f"holds: {_told(bound, len(statement.subject))}")
    return 1 if problems else 0


def _told(bound: Qualification, num_files: int) -> str:
    return (
        f"{bound.variant} of {bound.base} is qualified for {bound.channel} on {bound.engine} "
        f"{bound.engine_version} by policy {bound.policy} (run {bound.run}) until "
        f"{bound.expires_at:%Y-%m-%d}; {num_files} files as qualified"
    )


def _issue(asked: argparse.Namespace) -> int:
    home = Home.from_environment()
    statement = issue(home, asked.run, datetime.now(UTC), timedelta(days=asked.days))
    print(f"{home.certificate(asked.run)}: {statement.predicate.variant}, {asked.days} days")
    return 0


COMMANDS = {"verify": _verify, "issue": _issue}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reports.certificate", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="does a certificate still hold? Works offline")
    verify.add_argument("file", help="a certificate, or the name of a run of this home")
    verify.add_argument("--artifact", type=Path, help="folder; default: where the store keeps it")
    verify.add_argument("--key", type=Path, help="public key to trust; default: the home's own")
    verify.add_argument(
        "--elsewhere", action="store_true", help="not where it serves: check signature and files"
    )
    again = commands.add_parser("issue", help="certify what a run promoted")
    again.add_argument("run")
    again.add_argument("--days", type=int, default=VALID.days, help="that it holds")
    return parser


if __name__ == "__main__":
    sys.exit(main())
