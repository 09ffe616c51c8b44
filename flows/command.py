"""The command line of `python -m flows.qualify`."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from evals.study import Study
from evals.study_file import load_study, under_policy
from flows.plan import print_plan
from flows.qualify import STUDIES, qualify
from reports.certificate.standing import standing_of
from variants.command import ended
from variants.errors import QualificationError
from variants.home import Home
from variants.running.afterwards import leave_nobody
from variants.sources import fetch

ERROR = 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a study and exit with its outcome: 0 promoted, 10 rejected, 20 on hold, 1 an error."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.dry_run and options.resume:
        parser.error("--dry-run says what a new run would do; leave out --resume")
    if options.dry_run:
        sys.exit(ended(lambda: print_plan(_study(options), options.only), ERROR))
    leave_nobody()
    try:
        if told := _still_qualified(options):
            print(told)
            sys.exit(0)
        code = qualify(_study(options), options.only, options.resume, options.children)
    except QualificationError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(ERROR)
    sys.exit(0 if options.succeed_when_run else code)


def _study(options: argparse.Namespace) -> Study | str:
    if options.policy is None:
        return str(options.study)
    return under_policy(load_study(options.study, STUDIES), options.policy)


def _still_qualified(options: argparse.Namespace) -> str:
    """Say that nothing has changed since the study promoted its champion; '' where it has to run.

    A doubt is no answer: whatever cannot be compared is measured again.
    """
    if options.again or options.resume or options.only:
        return ""
    asked = _study(options)
    study = asked if isinstance(asked, Study) else load_study(asked, STUDIES)
    home = Home.from_environment()
    standing = standing_of(
        home, study, datetime.now(UTC), lambda base: fetch(base, home.sources).digest
    )
    if standing is None:
        return ""
    if standing.changed:
        print(f"{standing.words}; measuring it again")
        return ""
    return f"{standing.words}; --again measures it all the same"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m flows.qualify",
        description="Qualify the variants of a study. "
        "Exit codes: 0 a champion was promoted or confirmed, 10 all candidates were rejected, "
        "20 none was promoted and at least one is on hold, anything else is an error.",
    )
    parser.add_argument(
        "study", nargs="?", default="smollm2-cpu", help="a study's name or YAML file"
    )
    parser.add_argument(
        "--policy",
        metavar="POLICY",
        help="judge by this one: its suites, with the items it needs",
    )
    parser.add_argument("--only", metavar="VARIANT", help="qualify this variant alone")
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped")
    parser.add_argument(
        "--children", metavar="DEPLOYMENT", help="run each variant on this deployment's pool"
    )
    parser.add_argument(
        "--again", action="store_true", help="measure although nothing has changed since"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    parser.add_argument(
        "--succeed-when-run", action="store_true", help="exit with 0 whatever was decided"
    )
    return parser
