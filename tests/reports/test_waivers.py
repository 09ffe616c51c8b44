"""`python -m reports.waivers`: names that are names, persons who are persons."""

from pathlib import Path

import pytest

from reports.waivers import main, read_waivers


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def grant(study: str = "s", variant: str = "int8", **options: str) -> int:
    asked = {"who": "Ada L.", "why": "measured by hand elsewhere", **options}
    flags = [part for name, value in asked.items() for part in (f"--{name}", value)]
    return main([study, variant, "ttft", *flags])


def test_a_waiver_is_found_again_and_an_unknown_variant_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert grant() == 0
    assert "no run of study s" in capsys.readouterr().err
    assert [waiver.gate for waiver in read_waivers(home / "waivers", "s")] == ["ttft"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"study": "../../esc"}, "study: "),
        ({"variant": "a/b"}, "variant: "),
        ({"variant": "x" * 300}, "variant: "),
        ({"who": "   "}, "who: "),
        ({"why": " " * 20}, "why: "),
        ({"days": "91"}, "90 days"),
        ({"days": "9999999999"}, "OverflowError"),
    ],
)
def test_what_cannot_be_a_waiver_is_refused_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, str], words: str
) -> None:
    assert grant(**fields) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1
    assert not list(home.parent.rglob("*.json"))
