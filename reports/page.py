"""The qualification report: one self-contained HTML file that asks no network for anything.

Its script shows what a mark of a chart stands for; the page is whole without it.

To add a section: write `sections/NAME.py` with a `SECTION`, and add one line to `SECTIONS`.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.blocks import Block, Section
from reports.charts.drawing import drawn
from reports.charts.swatch import swatch
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
from reports.visible import visible
from variants.durable import write_bytes

TEMPLATES = Path(__file__).with_name("templates")
SCRIPTS = ("tips.js", "scrollers.js")
LONG = 24  # characters: what is longer is read as a sentence, and gets the room of one

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
    environment.tests |= {"block": _is_block, "long": lambda text: len(text) > LONG}
    environment.globals |= {"swatch": swatch, "drawn": drawn}
    style, script = _ours("style.css"), Markup("\n").join(map(_ours, SCRIPTS))
    sections = [(section, section.build(view)) for section in SECTIONS]
    page = environment.get_template("page.html.j2").render(
        view=view,
        summary=summarize(view),
        sections=sections,
        style=style,
        script=script,
        script_digest=_digest(script),
    )
    return visible(page)


def _ours(name: str) -> Markup:
    """Read what we wrote: there is nothing to escape in it."""
    return Markup((TEMPLATES / name).read_text())


def _digest(script: str) -> str:
    """Digest a script as a content security policy names it; no other one runs."""
    return b64encode(sha256(script.encode()).digest()).decode()


def write(view: View, path: Path) -> Path:
    """Write the page beside its place, then rename it: a reader never sees half of one."""
    write_bytes(path, render(view).encode())
    return path


def _is_block(block: Block, kind: str) -> bool:
    """Answer the templates' `is block("Table")`."""
    return type(block).__name__ == kind
