"""The qualification report: one self-contained HTML file that asks no network for anything.

Its one script shows what a mark of a chart stands for; the page is whole without it.

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
    configuration,
    cost,
    decisions,
    envelope,
    fidelity,
    gates,
    instructions,
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
)
from reports.summary import summarize
from reports.view import View
from variants.durable import write_bytes

TEMPLATES = Path(__file__).with_name("templates")
OURS = ("style.css", "tips.js")  # nothing to escape

SECTIONS: tuple[Section, ...] = (
    decisions.SECTION,
    stopped.SECTION,
    envelope.SECTION,
    pareto.SECTION,
    gates.SECTION,
    performance.SECTION,
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
    environment.globals |= {"swatch": swatch, "drawn": drawn}
    style, script = (Markup((TEMPLATES / name).read_text()) for name in OURS)
    sections = [(section, section.build(view)) for section in SECTIONS]
    return environment.get_template("page.html.j2").render(
        view=view,
        summary=summarize(view),
        sections=sections,
        style=style,
        script=script,
        script_digest=_digest(script),
    )


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
