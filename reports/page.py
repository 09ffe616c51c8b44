"""The qualification report of one run: the same content as HTML, as JSON and as Markdown.

`python -m reports.page RUN [--to FOLDER]` tells a run again from its evidence.

To add a section: write `sections/NAME.py` with a `SECTION`, and add one line to `SECTIONS`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.as_html import as_html
from reports.as_json import as_json
from reports.as_markdown import as_markdown
from reports.blocks import Section
from reports.content import Content, content_of
from reports.retold import told_of
from reports.sections import (
    cliffs,
    configuration,
    cost,
    decisions,
    envelope,
    fidelity,
    gates,
    instructions,
    latency,
    limits,
    long_context,
    lora,
    memory,
    pareto,
    performance,
    provenance,
    quality,
    safety,
    speculation,
    startup,
    stopped,
    timing,
    traffic,
    validity,
)
from reports.view import View, build_view
from variants.command import ended
from variants.home import Home
from variants.kept.durable import write_bytes

SECTIONS: tuple[Section, ...] = (
    decisions.SECTION,
    limits.SECTION,
    stopped.SECTION,
    envelope.SECTION,
    pareto.SECTION,
    gates.SECTION,
    performance.SECTION,
    latency.SECTION,
    validity.SECTION,
    traffic.SECTION,
    memory.SECTION,
    startup.SECTION,
    quality.SECTION,
    instructions.SECTION,
    long_context.SECTION,
    cliffs.SECTION,
    safety.SECTION,
    fidelity.SECTION,
    lora.SECTION,
    speculation.SECTION,
    cost.SECTION,
    timing.SECTION,
    provenance.SECTION,
    configuration.SECTION,
)


def content(view: View) -> Content:
    """Return what the report of a run says, in no format yet."""
    return content_of(view, SECTIONS)


def render(view: View) -> str:
    """Return the whole page as HTML; every text in it is escaped, whoever wrote it."""
    return as_html(content(view))


def write(view: View, path: Path) -> Path:
    """Write the page beside its place, then rename it: a reader never sees half of one."""
    write_bytes(path, render(view).encode())
    return path


def write_all(view: View, folder: Path) -> Path:
    """Write `report.json`, `report.md` and `report.html`, which is returned."""
    told = content(view)
    write_bytes(folder / "report.json", as_json(told, view.told.decisions).encode())
    write_bytes(folder / "report.md", as_markdown(told).encode())
    write_bytes(folder / "report.html", as_html(told).encode())
    return folder / "report.html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell a run again from its evidence, as HTML, JSON and Markdown. Exit codes: 0, 1 error."""
    parser = argparse.ArgumentParser(prog="python -m reports.page", description=main.__doc__)
    parser.add_argument("run", help="name of the run")
    parser.add_argument("--to", type=Path, help="folder; default: where the run wrote its report")
    asked = parser.parse_args(arguments)
    return ended(lambda: _write_again(asked.run, asked.to), error_code=1)


def _write_again(run: str, folder: Path | None) -> int:
    home = Home.from_environment()
    told = told_of(home, run)
    for problem in told.unreadable:
        print(f"warning: not in the report, cannot be read: {problem}", file=sys.stderr)
    path = write_all(build_view(told), folder or home.report(run))
    print(f"{path}: {len(told.decisions)} decisions; beside it report.json and report.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
