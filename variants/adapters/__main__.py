"""python -m variants.adapters PATH [--base PATH]: print the findings; exit 1 where one failed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from variants.adapters.audit import Ground, audit_adapter
from variants.audit.__main__ import render
from variants.kept.contents import digest_content


def main(arguments: Sequence[str]) -> int:
    """Audit one adapter from the command line; 0 all passed, 1 one failed, 2 wrong arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m variants.adapters",
        description="Look into a LoRA adapter without loading it.",
        epilog="Exit code: 0 every check passed, 1 one failed, 2 the arguments are wrong.",
    )
    parser.add_argument("path", type=_folder, help="folder with adapter_config.json")
    parser.add_argument("--base", type=_folder, help="folder of the base it is to fit")
    given = parser.parse_args(arguments)
    findings = audit_adapter(given.path, Ground(given.base) if given.base else None)
    sys.stdout.write(render(findings))
    if not all(finding.passed for finding in findings):
        return 1
    sys.stdout.write(f"sha256 {digest_content(given.path)}\n")
    return 0


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder; give the folder of the adapter")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
