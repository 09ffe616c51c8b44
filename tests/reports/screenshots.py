"""Draw the made-up report's screens, small, for those who review how it looks.

Run `python -m tests.reports.screenshots`, then look at every picture it wrote.
"""

import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from reports.page import write
from tests.reports import judged

FOLDER = Path(__file__).with_name("screenshots")
CHARTS = "performance"  # the section with most drawings
NUM_COLOURS = 256  # of a picture's palette: a screen stays below 150 kB
SLOWEST_MS = 120_000  # on a machine that measures something else


@dataclass(frozen=True, slots=True)
class Screen:
    """One window: what it is called, its size in CSS pixels, its scheme."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"


SCREENS = (
    Screen("390", 390, 844),
    Screen("1280", 1280, 900),
    Screen("1280-dark", 1280, 900, "dark"),
    Screen("1920", 1920, 1080),
)


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


def _keep(picture: bytes, path: Path) -> None:
    small = (
        Image.open(io.BytesIO(picture))
        .convert("RGB")
        .quantize(NUM_COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    )
    small.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def _draw(browser: Browser, report: Path, screen: Screen) -> None:
    page = browser.new_page(
        viewport={"width": screen.width, "height": screen.height},
        color_scheme=screen.scheme,
        reduced_motion="reduce",  # it would be on its way to the section
    )
    page.set_default_timeout(SLOWEST_MS)
    page.goto(report.as_uri())
    _keep(page.screenshot(), FOLDER / f"first-screen-{screen.name}.png")
    page.goto(f"{report.as_uri()}#{CHARTS}")
    page.wait_for_timeout(500)  # until what is in sight is painted
    _keep(page.screenshot(), FOLDER / f"charts-{screen.name}.png")
    page.close()


def main() -> None:
    """Write every picture anew."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        report = write(judged.view(), Path(folder) / "report.html")
        for screen in SCREENS:
            _draw(browser, report, screen)


if __name__ == "__main__":
    main()
