r"""Write content as Markdown, for Prefect's pages and for pull requests: headline, then tables.

Dialect: CommonMark 0.31 with the tables of GitHub's. Every text is data: what would be a tag, a
link or an emphasis is escaped, so that a variant named `<script>` is read and not run. Charts are
named by their titles; every number in them stands in a table.

Example: `a|b <i>*x*` is written `a\|b &lt;i&gt;\*x\*`.
"""

import re
from collections.abc import Iterator

from reports.blocks import Block, Figures, Missing, Prose, Table, Value, Verbatim
from reports.content import Content, Part

# Inline marks; a dollar begins mathematics where that is switched on.
MARKS = re.compile(r"([\\`*_\[\]|~$])")
# Marks of a block where they begin a line: heading, list, rule, table's rule, code.
BLOCK_MARKS = re.compile(r"^([#+\-=:])|^(\d+)([.)])(?=\s|$)")
# Bare addresses become links in GitHub's dialect; a backslash before punctuation is not seen.
ADDRESSES = re.compile(r"(?i)(://|\bwww\.|@)")


def as_markdown(content: Content) -> str:
    """Return the whole page; rounded numbers are exact in report.json."""
    return _joined([*_head(content), *(line for part in content.parts for line in _part(part))])


def brief(content: Content) -> str:
    """Return the first section alone under the headline: what came out."""
    return _joined([*_head(content), *_part(content.parts[0])])


def escaped(text: str) -> str:
    """Write any text so that it reads as itself, on one line."""
    line = " ".join(text.replace("\x00", "\ufffd").splitlines()).strip()
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = MARKS.sub(r"\\\1", line)
    return ADDRESSES.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", line)


def _paragraph(text: str) -> str:
    """Write a text that begins a line."""
    return BLOCK_MARKS.sub(_unmarked, escaped(text))


def _unmarked(found: re.Match[str]) -> str:
    return f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}"


def _joined(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraphs) + "\n"


def _head(content: Content) -> list[str]:
    summary = content.summary
    facts = "\n".join(f"- {escaped(one.label)}: {escaped(one.text)}" for one in summary.facts)
    head = [f"# {escaped(summary.headline)}", _paragraph(summary.counts), facts]
    return [paragraph for paragraph in (*head, _paragraph(content.footer)) if paragraph]


def _part(part: Part) -> Iterator[str]:
    yield f"## {escaped(part.title)}"
    for block in part.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Prose():
            yield _paragraph(block.text)
        case Missing():
            yield f"*Not measured:* {escaped(block.text)}"
        case Table():
            yield _paragraph(block.caption)
            yield _table(block)
        case Figures():
            titles = (f"{escaped(one.title)} ({escaped(one.says)})" for one in block.charts)
            yield f"*Charts on the page:* {'; '.join(titles)}. {escaped(block.caption)}"
        case Verbatim():
            yield _paragraph(block.label)
            yield _fenced(block.text)


def _table(table: Table) -> str:
    heads = [escaped(column.title) for column in table.columns]
    rules = ["---:" if column.kind == "number" else "---" for column in table.columns]
    rows = [[_value(value) for value in row] for row in table.rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows))


def _value(value: Value) -> str:
    text = escaped(value.text)
    if value.link:
        text = f"[{text}](<{value.link}>)"
    if value.is_badge:
        text = f"**{text}**"
    note = escaped(value.note)
    return f"{text} ({note})" if text and note else text or note


def _fenced(text: str) -> str:
    """Keep words as they are, in a fence longer than any inside."""
    lines = text.replace("\x00", "\ufffd").splitlines()
    longest = max((len(found) for found in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *lines, fence])
