"""The qualification report: one self-contained HTML file, without script or network.

To add a section: write `sections/NAME.py` with a `SECTION`, and add one line to `SECTIONS`.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.blocks import Block, Section
from reports.charts.svg import swatch
from reports.sections import (
    cliffs,
    decisions,
    envelope,
    fidelity,
    gates,
    memory,
    performance,
    provenance,
    quality,
    safety,
    startup,
    stopped,
    timing,
    traffic,
)
from reports.summary import summarize
from reports.view import View
from variants.durable import write_bytes

TEMPLATES = Path(__file__).with_name("templates")

SECTIONS: tuple[Section, ...] = (
    decisions.SECTION,
    stopped.SECTION,
    envelope.SECTION,
    gates.SECTION,
    performance.SECTION,
    traffic.SECTION,
    memory.SECTION,
    startup.SECTION,
    quality.SECTION,
    cliffs.SECTION,
    safety.SECTION,
    fidelity.SECTION,
    timing.SECTION,
    provenance.SECTION,
)


def render(view: View) -> str:
    """Return the whole page; every text in it is escaped, whoever wrote it."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["block"] = _is_block
    environment.globals["swatch"] = swatch
    style = Markup((TEMPLATES / "style.css").read_text())  # our own file: nothing to escape
    sections = [(section, section.build(view)) for section in SECTIONS]
    return environment.get_template("page.html.j2").render(
        view=view, summary=summarize(view), sections=sections, style=style
    )


def write(view: View, path: Path) -> Path:
    """Write the page beside its place, then rename it: a reader never sees half of one."""
    write_bytes(path, render(view).encode())
    return path


def _is_block(block: Block, kind: str) -> bool:
    """Answer the templates' `is block("Table")`."""
    return type(block).__name__ == kind
