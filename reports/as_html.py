"""Write content as one self-contained HTML file that asks no network for anything.

Its script shows what a mark of a chart stands for; the page is whole without it.
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
from reports.words.visible import visible

TEMPLATES = Path(__file__).with_name("templates")
SCRIPTS = ("tips.js", "scrollers.js")
LONG = 24  # characters: what is longer is read as a sentence, and gets the room of one


def as_html(content: Content) -> str:
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
    page = environment.get_template("page.html.j2").render(
        content=content,
        summary=content.summary,
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


def _is_block(block: Block, kind: str) -> bool:
    """Answer the templates' `is block("Table")`."""
    return type(block).__name__ == kind
