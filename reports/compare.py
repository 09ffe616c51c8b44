"""Two runs or two variants on one page: decisions, gates, figures, configuration side by side.

`python -m reports.compare RUN_A[/VARIANT] RUN_B[/VARIANT] [--to FOLDER]`
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from reports.across.configured import configuration_part, ground_part
from reports.across.decided import decisions_part, num_changed, verdicts_part
from reports.across.linking import Links
from reports.across.measured import cells_part, suites_part
from reports.across.sides import Sides, sides_of
from reports.as_html import as_html
from reports.content import Content
from reports.words.summary import Fact, Summary
from variants.command import ended
from variants.fingerprint import fingerprint
from variants.home import Home
from variants.kept.durable import write_bytes

LONGEST_NAME = 200  # bytes of a file's name that every file system takes


def comparison(sides: Sides, links: Links) -> Content:
    """Return what the page says."""
    return Content(
        kind="comparison",
        subject=f"{sides.a.label} and {sides.b.label}",
        summary=_summary(sides),
        parts=(
            decisions_part(sides),
            ground_part(sides, links),
            verdicts_part(sides),
            cells_part(sides),
            suites_part(sides),
            configuration_part(sides),
        ),
        footer=f"Written {datetime.now(UTC).isoformat(timespec='seconds')} from evidence.",
    )


def _summary(sides: Sides) -> Summary:
    changed, num = num_changed(sides), len(sides.pairs)
    ground = "bound alike" if not sides.differing else f"differ in {', '.join(sides.differing)}"
    counts = "The decisions differ." if changed else "The decision is the same."
    if num > 1:
        counts = f"{changed} of {num} decisions differ."
    return Summary(
        headline=_headline(sides),
        counts=counts,
        facts=(
            Fact("A", sides.a.label),
            Fact("B", sides.b.label),
            Fact("Ground", "one run" if sides.is_one_run else ground),
        ),
    )


def _headline(sides: Sides) -> str:
    a, b = sides.a, sides.b
    if a.variant != b.variant:
        return f"{a.variant} beside {b.variant}"
    return f"{a.variant} in two runs" if a.variant else f"Two runs of {_studies(sides)}"


def _studies(sides: Sides) -> str:
    names = (side.view.told.study.name for side in (sides.a, sides.b))
    return " and ".join(dict.fromkeys(names))


def file_name(sides: Sides) -> str:
    """Name the page after both sides; names that are too long are cut, with their digest."""
    name = "--".join(side.label.replace("/", "@") for side in (sides.a, sides.b))
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{fingerprint(name)}"
    return f"{name}.html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a page that compares two runs or two variants. Exit codes: 0, 1 error."""
    parser = argparse.ArgumentParser(prog="python -m reports.compare", description=main.__doc__)
    parser.add_argument("a", metavar="RUN_A[/VARIANT]", help="a run, or one variant of it")
    parser.add_argument("b", metavar="RUN_B[/VARIANT]", help="what is put beside it")
    parser.add_argument("--to", type=Path, help="folder; default: `compare` beside the reports")
    asked = parser.parse_args(arguments)
    return ended(lambda: _write(asked.a, asked.b, asked.to), error_code=1)


def _write(first: str, second: str, folder: Path | None) -> int:
    home = Home.from_environment()
    sides = sides_of(home, first, second)
    links = Links(home, folder or home.reports / "compare")
    path = links.folder / file_name(sides)
    write_bytes(path, as_html(comparison(sides, links)).encode())
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
