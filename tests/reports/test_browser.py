"""The page in a real browser: silent, offline, narrow, dark, printed, and inert."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from reports.page import write
from tests.reports import judged

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install -y chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(judged.view(), tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def test_silent_offline_and_inert(page: Page, report: Path) -> None:
    said: list[str] = []

    def hear(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", hear)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    assert said == []
    assert asked == [report.as_uri()]
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_no_horizontal_scroll(browser: Browser, report: Path, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_first_screen_shows_decisions(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    for words in ("PROMOTE", "HOLD"):
        box = page.get_by_text(words, exact=True).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900


def test_words_in_charts_are_legible_on_a_phone(browser: Browser, report: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(report.as_uri())
    heights = page.evaluate(
        "[...document.querySelectorAll('.chart-frame text')].map(t => "
        "{ const m = t.getScreenCTM();"
        "  return parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b) })"
    )
    assert heights
    assert min(heights) >= 9.5  # CSS pixels
    page.close()


def test_keyboard_reaches_the_decisions(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the decisions"
    page.keyboard.press("Enter")
    assert page.url.endswith("#decisions")


def test_text_stands_out_from_its_ground(browser: Browser, report: Path) -> None:
    """WCAG 2.2 contrast: at least 4.5 for every colour of text on the card, in both schemes."""
    script = """() => {
      const light = c => { const [r, g, b] = c.match(/\\d+/g).map(v => { v /= 255;
        return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 });
        return .2126 * r + .7152 * g + .0722 * b };
      const style = s => getComputedStyle(document.querySelector(s));
      const ground = light(style('.card').backgroundColor);
      return ['.tone-pass', '.tone-fail', '.tone-hold', '.tone-muted', '.caption', 'td'].map(s => {
        const ink = light(style(s).color);
        return (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05) }) }"""
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(report.as_uri())
        assert min(page.evaluate(script)) >= 4.5, scheme
        page.close()


def test_prints(page: Page, report: Path, tmp_path: Path) -> None:
    page.goto(report.as_uri())
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert (tmp_path / "report.pdf").stat().st_size > 20_000
