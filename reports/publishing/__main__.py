"""Publish a hand-off folder: `python -m reports.publishing FOLDER ADDRESS [--alias champion]`.

`--current CHANNEL` asks which version an alias means there. An earlier version is put back by
publishing its folder again: nothing is uploaded twice, only the alias moves.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.publishing.package import package_of
from reports.publishing.places import PLACES, publisher_of
from variants.command import ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Upload what a place does not hold yet, then move the alias. Exit codes: 0, 1 an error."""
    parser = argparse.ArgumentParser(
        prog="python -m reports.publishing", description=main.__doc__,
        epilog=f"Addresses begin with {', '.join(PLACES)}.",
    )  # fmt: skip
    parser.add_argument("folder", nargs="?", type=Path, help="what `reports.handoff` wrote")
    parser.add_argument("address", help="where to")
    parser.add_argument("--alias", default="champion", help="that means this version from now on")
    parser.add_argument("--current", metavar="CHANNEL", help="say what the alias means there")
    parser.add_argument("--dry-run", action="store_true", help="say what would be published")
    asked = parser.parse_args(arguments)
    if (asked.folder is None) == (asked.current is None):
        parser.error("give a folder to publish, or --current CHANNEL to ask")
    return ended(lambda: _ask(asked) if asked.current else _publish(asked), error_code=1)


def _ask(asked: argparse.Namespace) -> int:
    name = asked.current.replace("@", ".")
    print(publisher_of(asked.address).current(name, asked.alias) or "none")
    return 0


def _publish(asked: argparse.Namespace) -> int:
    package, publisher = package_of(asked.folder), publisher_of(asked.address)
    told = f"{package.name} {package.version} ({len(package.files)} files)"
    before = publisher.current(package.name, asked.alias)
    if asked.dry_run:
        print(f"would publish {told} to {asked.address}; {asked.alias} means {before or 'none'}")
        return 0
    place = publisher.put(package)
    publisher.point(package, asked.alias)
    print(f"{place}: {told}; {asked.alias} meant {before or 'none'}, and now means this")
    return 0


if __name__ == "__main__":
    sys.exit(main())
