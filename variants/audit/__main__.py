"""python -m variants.audit PATH [--base PATH]: print the findings; exit 1 where one failed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from variants.audit.artifact import audit_by_label
from variants.audit.finding import AuditFinding


def main(arguments: Sequence[str]) -> int:
    """Audit one folder from the command line; 0 all passed, 1 one failed, 2 wrong arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m variants.audit",
        description="Check that an artifact is whole, and is what its own label says.",
        epilog="Exit code: 0 every check passed, 1 one failed, 2 the arguments are wrong.",
    )
    parser.add_argument("path", type=_folder, help="folder with config.json and *.safetensors")
    parser.add_argument("--base", type=_folder, help="folder of the baseline to compare with")
    given = parser.parse_args(arguments)
    findings = audit_by_label(given.path, given.base)
    sys.stdout.write(render(findings))
    return 0 if all(finding.passed for finding in findings) else 1


def render(findings: Sequence[AuditFinding]) -> str:
    """Lay the findings out as a table."""
    width = max(len(finding.name) for finding in findings)
    rows = [
        f"{'PASS' if finding.passed else 'FAIL'}  {finding.name:<{width}}  {finding.reason}\n"
        for finding in findings
    ]
    num_failed = sum(not finding.passed for finding in findings)
    return "".join(rows) + f"{len(findings)} checks, {num_failed} failed\n"


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder; give the folder of an artifact")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
