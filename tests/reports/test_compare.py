"""Two runs or variants side by side: never paired, and nothing called apart on other ground."""

from dataclasses import replace
from pathlib import Path

import pytest

from evals.results import Cell, EffectiveConfig
from evals.statistics import Interval
from reports.across.configured import settings_of
from reports.across.linking import Links
from reports.across.sides import Pair, Side, Sides, read_apart, sides_of
from reports.as_html import as_html
from reports.blocks import Prose, Table
from reports.compare import comparison, file_name, main
from reports.view import Arm
from tests.reports import fixture, judged, past
from tests.reports.past import FIRST, SECOND
from tests.reports.test_page import Shape
from variants.errors import LedgerError
from variants.home import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    return past.make(tmp_path / "home")


def tables(home: Home, first: str, second: str) -> dict[str, list[Table]]:
    told = comparison(sides_of(home, first, second), Links(home, home.reports / "compare"))
    return {
        part.id: [block for block in part.blocks if isinstance(block, Table)]
        for part in told.parts
    }  # fmt: skip


def test_decisions_and_verdicts_that_changed_are_marked(home: Home) -> None:
    found = tables(home, FIRST, SECOND)
    (decisions,) = found["side-decisions"]
    rows = {row[0].text: row for row in decisions.rows}
    assert [value.text for value in rows["compiled"][1:4]] == ["PROMOTE", "HOLD", "changed"]
    assert [value.text for value in rows["int8-w8a8"][1:4]] == ["HOLD", "HOLD", "same"]
    assert rows["compiled"][4].text == "+23.7 %"
    gates = {table.caption.split(":")[0]: table for table in found["side-gates"]}
    tool = next(row for row in gates["int8-w8a8"].rows if row[0].text == "tool-calling")
    assert [value.text for value in tool[1:4]] == ["INCONCLUSIVE", "INCONCLUSIVE", "same"]
    assert (tool[4].text, tool[4].note) == ("+3.25 points", "[+1.12, +5.61], n\u00a0=\u00a0400")


def test_on_another_machine_nothing_is_called_apart(home: Home) -> None:
    sides = sides_of(home, FIRST, SECOND)
    assert sides.differing == ("Machine",)
    told = comparison(sides, Links(home, home.reports))
    ground = next(part for part in told.parts if part.id == "ground")
    prose = [block.text for block in ground.blocks if isinstance(block, Prose)]
    assert prose[0].startswith("Not bound alike: Machine.")
    for table in tables(home, FIRST, SECOND)["side-cells"]:
        assert {row[-1].text for row in table.rows} == {"not comparable"}
    assert "B is better" not in as_html(told)


def test_two_variants_of_one_run(home: Home) -> None:
    """Speeds 1.31 and 1.12 within 4 %: the intervals of closed-1's TPOT do not overlap."""
    found = tables(home, f"{FIRST}/compiled", f"{FIRST}/int4-w4a16-channel")
    (cells,) = found["side-cells"]  # no table of baselines: they are the same
    row = next(r for r in cells.rows if (r[0].text, r[1].text) == ("closed-1", "tpot_ms"))
    assert (row[-1].text, row[-1].note, row[-1].tone) == ("apart", "B is worse", "fail")
    assert row[2].note.endswith(", 5 repeats")
    (suites,) = found["side-suites"]
    tool = next(row for row in suites.rows if row[0].text == "tool-calling")
    assert (tool[2].text, tool[3].text, tool[4].text) == ("70 %", "53.5 %", "−16.5 points")
    assert tool[-1].note == "B is worse"


def sides(hardware_b: str) -> Sides:
    def side(letter: str, hardware: str) -> Side:
        whole = judged.view()
        bound = fixture.record("baseline", "binding", past.binding(hardware))
        baseline = Arm("baseline", 0, (*whole.baseline.records, bound))
        told = replace(whole.told, run=f"run-{letter}")
        return Side(letter, replace(whole, told=told, baseline=baseline), None)

    a, b = side("A", "h"), side("B", hardware_b)
    names = [one.name for one in a.view.variants]
    return Sides(a, b, tuple(Pair(name, a.find(name), b.find(name)) for name in names))


def test_worked_examples_of_apart() -> None:
    one, far, near = (
        Interval(55, 53.1, 56.9, 5),
        Interval(49, 47.2, 50.8, 5),
        Interval(52, 51, 54, 5),
    )
    same = sides("h")
    assert read_apart(same, one, far).text == "apart"
    assert read_apart(same, far, one).text == "apart"
    assert read_apart(same, one, near).text == "overlap"
    assert read_apart(same, one, None).text == "no interval on both sides"
    assert read_apart(sides("other"), one, far).text == "not comparable"


def test_unbound_runs_are_not_comparable() -> None:
    whole = judged.view()
    unbound = Sides(Side("A", whole, None), Side("B", whole, None), ())
    assert "Machine" in unbound.differing


def test_hostile_names_are_inert(tmp_path: Path) -> None:
    html = as_html(comparison(sides("h"), Links(Home(tmp_path), tmp_path)))
    shape = Shape(html)
    assert shape.tags.count("script") == 1
    assert not {"img", "b", "iframe"} & set(shape.tags)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert all(url.startswith(("#", "data:")) for url in shape.values("href", "src"))


def test_the_file_is_named_after_both_sides() -> None:
    both = sides("h")
    assert file_name(both) == "run-A--run-B.html"
    long = replace(both, a=replace(both.a, variant="v" * 300))
    assert len(file_name(long)) <= 255


def test_settings_that_differ_are_listed() -> None:
    config = EffectiveConfig(
        arm="variant", engine="vllm", version="0.32.0",
        command=("python", "-m", "server", "--model", "m", "--eager", "--seed=3"),
        environment={"A": "1"}, reported={"kernel": "k"},
    )  # fmt: skip
    arm = Arm("v", 1, (fixture.record("v", "config", config),))
    assert settings_of(arm) == {
        "engine": "vllm 0.32.0", "word 0": "python", "word 1": "-m", "word 2": "server",
        "--model": "m", "--eager": "set", "--seed": "3", "variable A": "1", "reports kernel": "k",
    }  # fmt: skip


def test_the_command(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([FIRST, SECOND]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path == home.reports / "compare" / f"{FIRST}--{SECOND}.html"
    links = [one for one in Shape(path.read_text()).values("href") if "report.html" in one]
    assert links == [f"../{FIRST}/report.html"]
    assert main([FIRST, SECOND, "--to", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / path.name).is_file()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("run-9", FIRST), "no run 'run-9'"),
        ((FIRST, "../x"), "no run '..'"),
        ((f"{FIRST}/nothing", SECOND), "has no variant 'nothing'; it has ['compiled'"),
        ((FIRST, FIRST), "compared with itself"),
        ((f"{FIRST}/compiled", FIRST), "compared with itself"),
    ],
)
def test_what_cannot_be_compared(
    home: Home, asked: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(asked)) == 1
    assert said in capsys.readouterr().err
    with pytest.raises(LedgerError):
        sides_of(home, *asked)


def test_a_variant_named_once_is_meant_on_both_sides(home: Home) -> None:
    found = sides_of(home, f"{FIRST}/compiled", SECOND)
    assert (found.a.label, found.b.label) == (f"{FIRST}/compiled", f"{SECOND}/compiled")
    assert len(found.pairs[0].a.payloads(Cell) if found.pairs[0].a else ()) == 20
