"""The page: golden text, every section told or said to be missing, hostile words inert."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evals.gates.decision import decide
from evals.gates.policy import load_policy
from evals.results import Fidelity
from reports.page import SECTIONS, render, write
from reports.view import Told, build_view
from tests.reports import fixture, judged
from variants.errors import LedgerError

GOLDEN = Path(__file__).with_name("golden") / "report.html"


@pytest.fixture(scope="module")
def page() -> str:
    return render(judged.view())


def normalised(html: str) -> str:
    """Drop style sheet, script, what drawings are made of, and empty lines: the rest is told."""
    bare = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", html, flags=re.DOTALL)
    bare = re.sub(r"sha256-[^']+", "sha256-", bare)
    bare = re.sub(r'<svg [^>]*role="img" aria-label="([^"]*)">.*?</svg>', r"[drawing: \1]", bare)
    return "\n".join(line.strip() for line in bare.splitlines() if line.strip()) + "\n"


def test_golden_page(page: str) -> None:
    """To accept a change, look at the page, then run this file with python."""
    assert normalised(page) == GOLDEN.read_text()


class Shape(HTMLParser):
    """Collects tags, addresses and headings."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def values(self, *names: str) -> list[str]:
        return [value for name, value in self.attributes if name in names]


def test_nothing_is_loaded_and_nothing_runs(page: str) -> None:
    shape = Shape(page)
    assert not {"img", "iframe", "object", "embed"} & set(shape.tags)
    assert shape.tags.count("script") == 1  # ours, by its digest
    assert all(url.startswith(("#", "data:")) for url in shape.values("href", "src"))
    assert not [name for name, _ in shape.attributes if name.startswith("on") or name == "style"]
    assert "url(" not in page
    assert "@import" not in page
    assert len(page.encode()) < 2_000_000


def test_hostile_words_are_text(page: str) -> None:
    assert page.count("<script") == 1
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "49" not in re.findall(r"a-very-long-name-(.{2,7})", page)


def test_headings_and_sections(page: str) -> None:
    shape = Shape(page)
    assert shape.tags.count("h1") == 1
    assert shape.tags.count("h2") == len(SECTIONS)
    assert shape.tags.count("section") == len(SECTIONS)
    ids = shape.values("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in shape.values("href") if link.startswith("#")} <= set(ids)


def test_the_first_section_answers(page: str) -> None:
    first = page[: page.index("</section>")]
    for words in ("smollm2-135m-instruct", "cpu", "interactive",
                  "quick policy: a suite may lose 5 points",
                  "PROMOTE", "REJECT", "HOLD", "+23.7 %", "[+21.7, +25.6], n\u00a0=\u00a05",
                  "tool-calling: about 710 items instead of 400"):  # fmt: skip
        assert words in first, words


def test_a_section_without_evidence_says_so() -> None:
    told = Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, (), ())
    html = render(build_view(told))
    assert html.count('class="missing"') >= len(SECTIONS) - 2
    assert "No variant was promoted" in html


def test_a_decision_of_another_run_is_refused() -> None:
    foreign = judged.decisions()[0].model_copy(update={"run": "another"})
    told = Told(
        fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, fixture.evidence(), (foreign,)
    )
    with pytest.raises(LedgerError, match="belongs to no evidence"):
        build_view(told)


def test_evidence_without_slices_still_renders() -> None:
    """As an earlier version measured it: no table of roles or positions, and none that is empty."""
    evidence = []
    for one in fixture.evidence():
        bare = {"slices": (), "positions": ()}
        records = tuple(
            r.model_copy(update={"payload": r.payload.model_copy(update=bare)})
            if isinstance(r.payload, Fidelity)
            else r
            for r in one.records
        )
        evidence.append(one.model_copy(update={"records": records}))
    html = render(build_view(Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT,
                                  tuple(evidence), ())))  # fmt: skip
    assert "Mean KL" in html
    assert "json-punctuation" not in html
    assert "by position" not in html


def test_what_the_gates_really_say_renders() -> None:
    study, policy = fixture.study(), load_policy("quick")
    decisions = tuple(decide(study, policy, item) for item in fixture.evidence())
    told = Told(study, fixture.RUN, fixture.BASE, fixture.AT, fixture.evidence(), decisions)
    html = render(build_view(told))
    for decision in decisions:
        for verdict in decision.verdicts:
            assert f">{verdict.gate}<" in html


def test_written_whole(tmp_path: Path) -> None:
    path = write(judged.view(), tmp_path / "deep" / "report.html")
    assert path.read_text() == render(judged.view())
    assert [item.name for item in path.parent.iterdir()] == ["report.html"]


if __name__ == "__main__":
    GOLDEN.write_text(normalised(render(judged.view())))
