"""What a section is made of: prose, tables, figures, verbatim words, and what was not measured.

A section returns blocks and knows no HTML; `reports.page` turns them into HTML, and other writers
(JSON, Markdown) turn the same blocks into theirs. Text in a block is raw: it may come from a
model, a user or an engine, and is escaped when it is written.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from reports.view import Arm, View

UNMEASURED, UNASKED = "not measured", "–"  # what a muted value says that holds nothing
Tone = Literal["plain", "pass", "fail", "hold", "muted"]
Scalar = float | str | None
Datum = dict[str, Scalar]


def is_relative(link: str) -> bool:
    """Whether a link stays where the page lies: no scheme, no host, no root."""
    return not link.startswith(("/", "\\")) and ":" not in link


@dataclass(frozen=True, slots=True)
class Value:
    """One thing to read: rounded text, its exact value on demand, and a second line."""

    text: str
    exact: str = ""
    note: str = ""
    tone: Tone = "plain"
    colour: int | None = None
    is_badge: bool = False
    link: str = ""  # to another page of this home: relative, never to a network

    def __post_init__(self) -> None:
        """Refuse a link that leaves the home, whoever named what it leads to."""
        assert is_relative(self.link), f"{self.link!r} is no relative link"


@dataclass(frozen=True, slots=True)
class Column:
    """A table's column; numbers are set flush right."""

    title: str
    kind: Literal["text", "number"] = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; the first cell of a row is its heading."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    is_stacked: bool = True  # becomes cards on a narrow screen; otherwise it scrolls in itself


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What was not measured, and why."""

    text: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Somebody else's words (an engine, a command), kept as they are."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing as data: its rows, and the Vega-Lite specification that draws them."""

    title: str
    says: str  # what it shows, for those who cannot see it
    rows: tuple[Datum, ...]  # `tip` is what a mark says when it is pointed at
    spec: dict[str, Any]  # Vega-Lite, on data named `rows`


@dataclass(frozen=True, slots=True)
class Figures:
    """Charts side by side under one legend."""

    caption: str
    legend: tuple[Value, ...]
    charts: tuple[Chart, ...]


Block = Prose | Missing | Table | Verbatim | Figures


def legend_of(arms: Iterable[Arm]) -> tuple[Value, ...]:
    """Name every arm once, beside its mark."""
    return tuple(Value(name, colour=at) for name, at in {a.name: a.colour for a in arms}.items())


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: where it is linked from, its heading, and what fills it."""

    id: str
    title: str
    build: Callable[[View], tuple[Block, ...]]


def trimmed(table: Table) -> Table:
    """Leave out columns that hold one and the same nothing; name those that were not measured."""
    if not table.rows:
        return table
    held = [at for at in range(len(table.columns)) if at == 0 or not _is_empty(table, at)]
    if len(held) == len(table.columns):
        return table
    lost = [
        table.columns[at].title
        for at in range(len(table.columns))
        if at not in held and table.rows[0][at].text == UNMEASURED
    ]
    return replace(
        table,
        caption=table.caption + (f" Not measured: {', '.join(lost)}." if lost else ""),
        columns=tuple(table.columns[at] for at in held),
        rows=tuple(tuple(row[at] for at in held) for row in table.rows),
    )


def _is_empty(table: Table, at: int) -> bool:
    values = {(row[at].text, row[at].tone, row[at].note) for row in table.rows}
    (text, tone, note), *others = values
    return not others and tone == "muted" and not note and text in (UNMEASURED, UNASKED)
