"""Qualify a study again, if what its certificate binds is no longer what is here.

`python -m flows.requalify [STUDY] [--days-ahead 7]`: engine, driver, policy, base, artifact and
channel are compared; nothing is measured while all of it holds.
"""

import argparse
import sys
from datetime import UTC, datetime, timedelta

from prefect import flow

from evals.gates.champion import PROMOTED
from evals.study import Study
from evals.study_file import load_study
from flows.qualify import STUDIES, qualify
from reports.certificate.standing import standing_of
from tasks.announce import LAPSED, announce
from variants.home import Home
from variants.sources import fetch

DAYS_AHEAD = 7  # so that a weekly schedule never meets one that has just expired


@flow(name="requalify", log_prints=True)
def requalify(study: Study | str = "smollm2-cpu", days_ahead: int = DAYS_AHEAD) -> int:
    """Return at once where everything still holds; else say what changed, and run the study.

    Args:
        study: a study's name, its YAML file, or the study itself.
        days_ahead: a certificate that expires so soon counts as expired.
    """
    home, loaded = Home.from_environment(), study
    if not isinstance(loaded, Study):
        loaded = load_study(loaded, STUDIES)
    at = datetime.now(UTC) + timedelta(days=days_ahead)
    standing = standing_of(home, loaded, at, lambda base: fetch(base, home.sources).digest)
    if standing is not None and not standing.changed:
        print(standing.words)
        return PROMOTED
    print(standing.words if standing else f"study {loaded.name} has no certificate here")
    if standing is not None:
        bound = standing.statement.predicate
        announce(LAPSED, f"channel.{bound.channel}", changed=list(standing.changed))
    return qualify(loaded)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m flows.requalify", description=__doc__)
    parser.add_argument("study", nargs="?", default="smollm2-cpu", help="its name or YAML file")
    parser.add_argument("--days-ahead", type=int, default=DAYS_AHEAD, help="that it must hold")
    asked = parser.parse_args()
    sys.exit(requalify(asked.study, asked.days_ahead))
