"""The page in a real browser: silent, offline, accessible, narrow, dark, printed, and inert."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, sync_playwright
from pypdf import PdfReader

from reports.page import SECTIONS, write
from tests.reports import hostile, judged

CHROMIUM = shutil.which("chromium")
WIDTHS = (320, 390, 1280, 1920)
A4_WIDTH = 710  # CSS pixels between the margins: 210 mm - 2 x 11 mm = 188 mm
SMALLEST_PRINT = 7.5  # points
SLOWEST_MS = 120_000  # on a machine that measures something else
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install -y chromium"),
]
# What stands beyond the right edge though nothing around it scrolls, or leaves its cell.
SPILLED = """width => [...document.querySelectorAll('body *')].filter(one => {
  if (one.closest('svg') && one.tagName !== 'svg') return false;
  if (one.closest('.scroll, .chart-frame, pre') && !one.matches('.scroll, .chart-frame, pre'))
    return false;
  return one.getBoundingClientRect().right > width + 1;
}).map(one => one.outerHTML.slice(0, 120))"""
OUTSIDE_CELL = """() => [...document.querySelectorAll('tbody td, tbody th')].filter(cell => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1;
}).map(cell => cell.textContent.trim())"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(judged.view(), tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(hostile.view(), tmp_path_factory.mktemp("hostile") / "report.html")


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    # Without smooth scrolling: a scroll that is still on its way hides a tip.
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(SLOWEST_MS)
    page.goto(report.as_uri())
    yield page
    page.close()


def opened(browser: Browser, report: Path, width: int, **options: Any) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 844}, **options)
    page.set_default_timeout(SLOWEST_MS)
    page.goto(report.as_uri())
    return page


def listened(page: Page) -> list[str]:
    """Collect whatever a page says: messages, errors, dialogs."""
    said: list[str] = []

    def hear(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", hear)
    return said


def test_silent_offline_and_inert(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    said = listened(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.wait_for_load_state("networkidle")
    assert said == []
    assert asked == [report.as_uri()]
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_no_violation(browser: Browser, report: Path, width: int, scheme: str) -> None:
    """By axe-core: WCAG 2.2 A and AA, and its best practices."""
    page = opened(browser, report, width, color_scheme=scheme, bypass_csp=True)
    found = Axe().run(page).response["violations"]
    told = [(one["id"], node["html"][:160]) for one in found for node in one["nodes"]]
    page.close()
    assert told == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_horizontal_scroll(browser: Browser, report: Path, width: int) -> None:
    page = opened(browser, report, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SPILLED, width) == []
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_names_do_not_break_the_layout(
    browser: Browser, hostile_report: Path, width: int
) -> None:
    page = opened(browser, hostile_report, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SPILLED, width) == []
    assert page.evaluate(OUTSIDE_CELL) == []
    page.close()


def test_unseen_characters_are_shown(browser: Browser, hostile_report: Path) -> None:
    page = opened(browser, hostile_report, 1280)
    assert page.locator("h1").text_content() == f"{hostile.SHOWN} is promoted"
    name = page.locator("#decisions tbody th", has_text="نموذج").locator("span span")
    assert name.evaluate("one => getComputedStyle(one).unicodeBidi") == "isolate"
    page.close()


def test_no_word_is_squeezed(page: Page) -> None:
    """A word of a table breaks at its hyphens at most, never between letters."""
    words = page.locator("#quality td", has_text="INCONCLUSIVE").first
    height = words.locator("span").first.evaluate("one => one.getClientRects().length")
    assert height == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_first_screen_answers(browser: Browser, report: Path, width: int, height: int) -> None:
    """Headline, facts, and the promoted variant's whole row."""
    page = opened(browser, report, width)
    page.set_viewport_size({"width": width, "height": height})
    promoted = page.locator("#decisions tbody tr", has_text="PROMOTE")
    for part in (page.locator("h1"), page.locator(".facts"), promoted):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
    page.close()


def test_the_first_wide_screen_shows_a_hold(page: Page) -> None:
    box = page.get_by_text("HOLD", exact=True).first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900


def test_words_in_charts_are_legible_on_a_phone(browser: Browser, report: Path) -> None:
    page = opened(browser, report, 390)
    heights = page.evaluate(
        "[...document.querySelectorAll('.chart-frame text')].map(t => "
        "{ const m = t.getScreenCTM();"
        "  return parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b) })"
    )
    assert heights
    assert min(heights) >= 9.5  # CSS pixels
    page.close()


def test_no_label_of_a_chart_is_cut(page: Page) -> None:
    cut = page.evaluate(
        "[...document.querySelectorAll('.chart-frame text')].filter(one =>"
        " one.getBoundingClientRect().left <"
        " one.closest('.chart-frame').getBoundingClientRect().left - 1).map(t => t.textContent)"
    )
    assert cut == []


def test_the_sections_stay_in_sight_on_a_wide_screen(browser: Browser, report: Path) -> None:
    page = opened(browser, report, 1440)
    page.locator("#provenance").scroll_into_view_if_needed()
    links = page.locator("nav a")
    assert links.count() == len(SECTIONS)
    assert links.first.bounding_box() == page.locator("nav a[href='#decisions']").bounding_box()
    box = page.locator("nav").bounding_box()
    assert box is not None
    assert (box["y"], box["x"] + box["width"] <= 280) == (0, True)
    page.locator("nav a[href='#quality']").click()
    page.wait_for_url("**/report.html#quality")
    page.close()


def test_every_section_table_and_figure_has_an_address(page: Page) -> None:
    bare = page.locator("section:not([id]), .card:not([id]), figure:not([id]), .verbatim:not([id])")
    assert bare.count() == 0
    assert page.locator(".card .anchor").count() == page.locator(".card").count()


def test_keyboard_reaches_the_decisions(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the decisions"
    page.keyboard.press("Enter")
    page.wait_for_url("**/report.html#decisions")


@pytest.mark.parametrize("width", [390, 1280])
def test_keyboard_stops_at_what_scrolls_and_nothing_else(
    browser: Browser, report: Path, width: int
) -> None:
    page = opened(browser, report, width)
    page.wait_for_function("document.querySelector('#decisions .scroll')?.tabIndex === -1")
    wrong = page.evaluate(
        "[...document.querySelectorAll('.scroll, .chart-frame, pre')].filter(one =>"
        " (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)"
        " !== (one.tabIndex === 0)).length"
    )
    assert wrong == 0
    page.close()


def test_a_mark_says_what_it_is(page: Page) -> None:
    said = listened(page)
    mark, tip = page.locator("[data-tip]").first, page.locator(".tip")
    mark.scroll_into_view_if_needed()
    before = page.locator("main").bounding_box()
    mark.hover(force=True)
    assert tip.text_content() == mark.get_attribute("data-tip")
    assert page.locator("main").bounding_box() == before  # nothing moves
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.mouse.move(1, 1)
    mark.hover(force=True)
    assert tip.is_visible()
    page.mouse.wheel(0, 400)
    tip.wait_for(state="hidden")  # not by a function: the page lets no other script run
    assert said == []


def test_a_tip_with_markup_is_text(page: Page) -> None:
    said = listened(page)
    marks = page.locator("[data-tip]")
    markup = "<img src=x onerror=alert(3)><b>bold</b>"
    marks.evaluate_all("(all, words) => all.forEach(one => { one.dataset.tip = words })", markup)
    marks.first.hover(force=True)
    assert page.locator(".tip").text_content() == markup
    assert page.locator(".tip *").count() == 0
    assert said == []


def test_a_tap_shows_marks_and_exact_values(browser: Browser, report: Path) -> None:
    page = opened(browser, report, 390, has_touch=True)
    tip = page.locator(".tip")
    number = page.locator("#decisions td [title]").first
    number.tap()
    assert tip.text_content() == number.get_attribute("title")
    mark = page.locator("[data-tip]").first
    mark.tap(force=True)
    assert tip.text_content() == mark.get_attribute("data-tip")
    page.locator("h1").tap()
    assert tip.is_hidden()
    page.close()


def test_nothing_is_cut_in_print(page: Page) -> None:
    page.set_viewport_size({"width": A4_WIDTH, "height": 1000})
    page.emulate_media(media="print")
    wider = page.evaluate(
        "width => [...document.querySelectorAll('main *')].filter(one =>"
        " one.getBoundingClientRect().right > width + 1).map(one => one.outerHTML.slice(0, 120))",
        A4_WIDTH,
    )
    assert wider == []
    assert page.evaluate(OUTSIDE_CELL) == []
    for hidden in ("nav", ".up", ".skip"):
        assert page.locator(hidden).first.is_hidden()


def test_print_is_legible(page: Page) -> None:
    page.set_viewport_size({"width": A4_WIDTH, "height": 1000})
    page.emulate_media(media="print")
    sizes = page.evaluate(
        """[...document.querySelectorAll('header *, main *')].filter(one =>
          [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())
          && one.getClientRects().length).map(one => {
            const map = one.ownerSVGElement ? one.getScreenCTM() : { a: 1, b: 0 };
            return .75 * parseFloat(getComputedStyle(one).fontSize) * Math.hypot(map.a, map.b) })"""
    )
    assert min(sizes) >= SMALLEST_PRINT - 0.01


def test_prints_every_section(page: Page, tmp_path: Path) -> None:
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    reader = PdfReader(tmp_path / "report.pdf")
    text = " ".join(" ".join(one.extract_text() for one in reader.pages).split())
    for section in SECTIONS:
        assert section.title in text
    for words in ("compiled is promoted", "HOLD", "continuation-choice"):
        assert words in text
    assert len(reader.pages) < 30
