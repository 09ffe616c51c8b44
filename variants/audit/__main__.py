"""python -m variants.audit PATH [--base PATH]: print the findings; exit 1 where one failed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from variants.audit.artifact import audit_artifact, audit_by_label
from variants.audit.finding import AuditFinding
from variants.specs.quantized import claimed
from variants.specs.spec import Quantization


def main(arguments: Sequence[str]) -> int:
    """Audit one folder from the command line; 0 all passed, 1 one failed, 2 wrong arguments."""
    given = _parser().parse_args(arguments)
    if given.claim is None:
        findings = audit_by_label(given.path, given.base)
    else:
        findings = audit_artifact(given.path, given.base, given.claim)
    sys.stdout.write(render(findings))
    return 0 if all(finding.passed for finding in findings) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m variants.audit",
        description="Check that an artifact is whole, and is what its own label says.",
        epilog="Exit code: 0 every check passed, 1 one failed, 2 the arguments are wrong.",
    )
    parser.add_argument("path", type=_folder, help="folder with config.json and *.safetensors")
    parser.add_argument("--base", type=_folder, help="folder of the baseline to compare with")
    parser.add_argument(
        "--claim",
        type=_scheme,
        help="what it is said to be, where its label is not to be believed: int8_w8a8, "
        "int4_w4a16-g64",
    )
    return parser


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
    if path.suffix.lower() == ".gguf" and path.is_file():
        raise argparse.ArgumentTypeError(
            f"{text} is GGUF, whose blocks are not audited; give it as a base, which de-quantizes "
            "it, or the folder of the artifact made of it"
        )
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder; give the folder of an artifact")
    return path


def _scheme(text: str) -> Quantization:
    try:
        quantization = claimed(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"{text!r} is no scheme: {problem}") from problem
    if quantization is None:
        raise argparse.ArgumentTypeError("an empty claim; leave --claim out to go by the label")
    return quantization


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
