"""report.md: the same tables, and whoever wrote a text, it is read and does nothing."""

from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from reports.as_markdown import as_markdown, brief, escaped
from reports.blocks import Column, Prose, Table, Value, Verbatim
from reports.content import Content, Part
from reports.page import content
from reports.words.summary import Fact, Summary
from tests.reports import judged
from tests.reports.fixture import HOSTILE, WORDS

HARMLESS = {
    "paragraph", "heading", "bullet_list", "list_item", "inline", "text", "text_special", "fence",
    "table", "thead", "tbody", "tr", "th", "td", "strong", "em",
}  # fmt: skip
TRICKS = (
    HOSTILE, WORDS, "a|b|c", "`code`", "[x](javascript:alert(1))", "![x](http://evil/)", "<b>x</b>",
    "# heading", "- item", "1. item", "===", "---", "> quote", "**bold** _em_ ~~gone~~", "$x^2$",
    "two\nlines\n\n# three", "&lt;script&gt;", "http://evil.example www.evil.example a@b.example",
    "tail\\", "| --- |", ": a", "```\n</code>", "[ref]: http://evil/", "12) x", "a\u2028# b",
)  # fmt: skip


def tokens(text: str) -> Iterator[Token]:
    """Parse by CommonMark with HTML and tables allowed."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in parser.parse(text):
        yield token
        yield from token.children or ()


def kinds(text: str) -> set[str]:
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens(text)}


def said(text: str) -> list[str]:
    return [
        "".join(child.content for child in token.children or ())
        for token in tokens(text)
        if token.type == "inline"
    ]


def one_page(text: str) -> Content:
    """Put one text wherever a text can stand."""
    table = Table(
        text, (Column(text), Column("n", "number")), ((Value(text, note=text), Value("1")),)
    )
    return Content(
        "k", "s", Summary(text, text, (Fact("Base", text),)),
        (Part("a", text, (Prose(text), table, Verbatim(text, text))),), text,
    )  # fmt: skip


@pytest.mark.parametrize("text", TRICKS)
def test_hostile_text_is_read_as_itself_and_inert(text: str) -> None:
    written = as_markdown(one_page(text))
    assert kinds(written) <= HARMLESS | {"softbreak"}
    line = " ".join(text.splitlines()).strip()
    assert said(written).count(line) >= 6
    rows = [token for token in tokens(written) if token.type == "tr_open"]
    assert len(rows) == 2
    (fence,) = [token for token in tokens(written) if token.type == "fence"]
    assert fence.content.splitlines() == text.splitlines()


def test_worked_example() -> None:
    assert escaped("a|b <i>*x*") == r"a\|b &lt;i&gt;\*x\*"
    assert escaped("two\r\nlines") == "two lines"


def test_the_whole_report_is_inert_and_holds_every_table() -> None:
    told = content(judged.view())
    written = as_markdown(told)
    assert kinds(written) <= HARMLESS
    tables = [block for part in told.parts for block in part.blocks if isinstance(block, Table)]
    assert len([token for token in tokens(written) if token.type == "table_open"]) == len(tables)
    assert [token.tag for token in tokens(written) if token.type == "heading_open"] == [
        "h1", *("h2" for _ in told.parts),
    ]  # fmt: skip
    assert "compiled is promoted" in written


def test_the_brief_has_the_decisions_alone() -> None:
    written = brief(content(judged.view()))
    assert len([token for token in tokens(written) if token.type == "table_open"]) == 1
    for words in ("**PROMOTE**", "**HOLD**", "**REJECT**", r"\[+21.7, +25.6\]"):
        assert words in written, words
