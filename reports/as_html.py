"""Write content as one self-contained HTML file that asks no network for anything.

Its one script shows what a mark of a chart stands for; the page is whole without it.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.blocks import Block
from reports.charts.drawing import drawn
from reports.charts.swatch import swatch
from reports.content import Content

TEMPLATES = Path(__file__).with_name("templates")
OURS = ("style.css", "tips.js")  # nothing to escape


def as_html(content: Content) -> str:
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
    return environment.get_template("page.html.j2").render(
        content=content,
        summary=content.summary,
        style=style,
        script=script,
        script_digest=_digest(script),
    )


def _digest(script: str) -> str:
    """Digest a script as a content security policy names it; no other one runs."""
    return b64encode(sha256(script.encode()).digest()).decode()


def _is_block(block: Block, kind: str) -> bool:
    """Answer the templates' `is block("Table")`."""
    return type(block).__name__ == kind
