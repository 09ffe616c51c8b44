"""report.json: valid by its schema, and nothing of the page is missing in it."""

import json
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest

from reports.as_json import as_json, main
from reports.blocks import Chart, Figures
from reports.content import Content, Part
from reports.page import content, render
from reports.words.summary import Summary
from tests.reports import judged


@pytest.fixture(scope="module")
def report() -> Any:
    return json.loads(as_json(content(judged.view()), judged.decisions()))


def test_a_report_follows_the_schema(report: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(report)
    spoilt = report | {"sections": [{"id": 1}]}
    assert not jsonschema.Draft202012Validator(schema).is_valid(spoilt)


def test_every_decision_is_there_in_full(report: Any) -> None:
    assert report["decisions"] == [one.model_dump(mode="json") for one in judged.decisions()]


class Page(HTMLParser):
    """Collects what cells and paragraphs of the page say, and the exact values behind them."""

    SAID = ("td", "th", "p", "pre", "h1", "h2", "dt", "dd", "small", "span", "figcaption")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: set[str] = set()
        self.exact: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "path", "use"):
            self.open.append(tag)
        self.exact |= {value or "" for name, value in attrs if name == "title"}

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open and self.open[-1] in self.SAID and "svg" not in self.open:
            self.texts.add(data.strip())


def strings(found: Any) -> set[str]:
    """Gather every string below a JSON value."""
    if isinstance(found, str):
        return {found.strip()}
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return {text for part in parts for text in strings(part)}


OURS = {"Touchstone · qualification report"}  # of the page, not of its content


def test_every_text_and_exact_value_of_the_page_is_in_it(report: Any) -> None:
    page, told = Page(render(judged.view())), strings(report)
    assert len(page.texts) > 300
    assert len(page.exact) > 100
    footer = {text for text in page.texts if text.startswith(report["footer"])}
    assert page.texts - told - OURS - footer == set()
    assert page.exact - told == set()


def test_charts_are_told_as_rows(report: Any) -> None:
    blocks = [block for section in report["sections"] for block in section["blocks"]]
    charts = [chart for block in blocks if block["type"] == "figures" for chart in block["charts"]]
    assert charts
    assert all(chart["title"] and chart["says"] and chart["rows"] for chart in charts)


def test_what_json_has_no_number_for_is_spelt() -> None:
    chart = Chart("t", "s", ({"value": float("inf"), "other": None, "tip": "t"},), {})
    part = Part("a", "A", (Figures("c", (), (chart,)),))
    text = as_json(Content("k", "s", Summary("h", "c", ()), (part,), "f"))
    (figures,) = json.loads(text)["sections"][0]["blocks"]
    assert figures["charts"][0]["rows"] == [{"value": "inf", "other": None, "tip": "t"}]
