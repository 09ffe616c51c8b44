"""Write content as JSON, for programs: every text, exact value and decision that the page holds.

`python -m reports.as_json schema` prints the JSON Schema of `report.json`.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field, TypeAdapter

from evals.gates.decision import Decision
from evals.results import Result
from reports.blocks import Block, Chart, Figures, Missing, Prose, Scalar, Table, Tone, Value
from reports.content import Content, Part
from variants.command import ended

FORMAT: Literal["touchstone-report-1"] = "touchstone-report-1"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class JsonFact(Result):
    """One labelled fact."""

    label: str
    text: str
    exact: str = Field(description="long form; '' where the text is all there is")


class JsonValue(Result):
    """One thing to read."""

    text: str = Field(description="rounded for reading, with its unit")
    exact: str = Field(description="exact value with its unit; '' where the text is exact")
    note: str = Field(description="second line: interval, n, or what decided")
    tone: Tone = Field(description="what it means for the variant; muted: not asked or measured")
    link: str = Field(description="relative address of another page; '' for none")


class JsonColumn(Result):
    """Head of a column."""

    title: str
    kind: Literal["text", "number"]


class JsonText(Result):
    """A paragraph, or what was not measured and why."""

    type: Literal["prose", "missing"]
    text: str


class JsonVerbatim(Result):
    """Somebody else's words."""

    type: Literal["verbatim"]
    label: str
    text: str


class JsonTable(Result):
    """Rows under columns; the first cell of a row is its heading."""

    type: Literal["table"]
    caption: str
    columns: tuple[JsonColumn, ...]
    rows: tuple[tuple[JsonValue, ...], ...]


class JsonChart(Result):
    """One drawing as its data; `tip` of a row is what the mark says."""

    title: str
    says: str = Field(description="what it shows, in words")
    rows: tuple[dict[str, Scalar], ...] = Field(description="in the units of the chart's title")


class JsonFigures(Result):
    """Charts under one legend."""

    type: Literal["figures"]
    caption: str
    legend: tuple[JsonValue, ...]
    charts: tuple[JsonChart, ...]


JsonBlock = JsonText | JsonVerbatim | JsonTable | JsonFigures


class JsonSection(Result):
    """One section of the page; one without evidence says what was not measured."""

    id: str
    title: str
    blocks: tuple[JsonBlock, ...]


class JsonReport(Result):
    """A whole page: what came out, every decision in full, and the sections."""

    format: Literal["touchstone-report-1"] = Field(description="raised when a field changes")
    kind: str = Field(description="e.g. qualification report")
    headline: str
    counts: str
    facts: tuple[JsonFact, ...]
    decisions: tuple[Decision, ...] = Field(description="as judged, with every verdict")
    sections: tuple[JsonSection, ...]
    footer: str


REPORT = TypeAdapter(JsonReport)


def as_json(content: Content, decisions: Iterable[Decision] = ()) -> str:
    """Return the page as JSON; texts are raw, to be escaped by whoever shows them."""
    summary = content.summary
    report = JsonReport(
        format=FORMAT,
        kind=content.kind,
        headline=summary.headline,
        counts=summary.counts,
        facts=tuple(JsonFact(label=f.label, text=f.text, exact=f.exact) for f in summary.facts),
        decisions=tuple(decisions),
        sections=tuple(map(_section, content.parts)),
        footer=content.footer,
    )
    return REPORT.dump_json(report, indent=1).decode() + "\n"


def schema() -> str:
    """Return the JSON Schema that every report.json follows."""
    made = REPORT.json_schema(mode="serialization")
    return json.dumps({"$schema": DIALECT, **made}, indent=1) + "\n"


def _section(part: Part) -> JsonSection:
    return JsonSection(id=part.id, title=part.title, blocks=tuple(map(_block, part.blocks)))


def _block(block: Block) -> JsonBlock:
    match block:
        case Prose():
            return JsonText(type="prose", text=block.text)
        case Missing():
            return JsonText(type="missing", text=block.text)
        case Table():
            return _table(block)
        case Figures():
            charts = tuple(map(_chart, block.charts))
            legend = tuple(map(_value, block.legend))
            return JsonFigures(type="figures", caption=block.caption, legend=legend, charts=charts)
        case _:
            return JsonVerbatim(type="verbatim", label=block.label, text=block.text)


def _table(table: Table) -> JsonTable:
    return JsonTable(
        type="table",
        caption=table.caption,
        columns=tuple(JsonColumn(title=one.title, kind=one.kind) for one in table.columns),
        rows=tuple(tuple(map(_value, row)) for row in table.rows),
    )


def _value(value: Value) -> JsonValue:
    return JsonValue(
        text=value.text, exact=value.exact, note=value.note, tone=value.tone, link=value.link
    )


def _chart(chart: Chart) -> JsonChart:
    rows = tuple({name: _finite(one) for name, one in row.items()} for row in chart.rows)
    return JsonChart(title=chart.title, says=chart.says, rows=rows)


def _finite(value: Scalar) -> Scalar:
    """Spell what JSON has no number for."""
    is_spelt = isinstance(value, float) and not math.isfinite(value)
    return str(value) if is_spelt else value


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the JSON Schema of report.json."""
    parser = argparse.ArgumentParser(prog="python -m reports.as_json", description=main.__doc__)
    parser.add_argument("what", choices=["schema"], help="schema: the JSON Schema")
    parser.parse_args(arguments)
    return ended(_print_schema, error_code=1)


def _print_schema() -> int:
    print(schema(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
