"""What a page says, free of any format: a headline, facts, and sections with their blocks.

A writer (`as_json`, `as_markdown`, `page` for HTML) turns the same content into its format, so that
no two of them can say different things.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from reports.blocks import Block, Section
from reports.view import View
from reports.words.summary import Summary, summarize


@dataclass(frozen=True, slots=True)
class Part:
    """One section, filled."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """One page: what kind it is, what came out, and its sections; the first one answers."""

    kind: str  # e.g. qualification report
    subject: str  # what it is of, for the document's title
    summary: Summary
    parts: tuple[Part, ...]
    footer: str


def content_of(view: View, sections: Iterable[Section]) -> Content:
    """Fill the sections of a run's report."""
    told = view.told
    return Content(
        kind="qualification report",
        subject=told.study.name,
        summary=summarize(view),
        parts=tuple(Part(one.id, one.title, one.build(view)) for one in sections),
        footer=f"Study {told.study.name}, run {told.run}, written {told.written_at}.",
    )
