"""Time a report in headless Chromium: when it can be used, and what kept the reader waiting.

Run `python -m tests.bench.page_load REPORT.html`. Times are ms since navigation began, the best and
the median of fresh windows (other work on the machine spoils the best least); a long task is one
that held the main thread for more than 50 ms (W3C Long Tasks).

Source of the times: W3C Navigation Timing Level 2 (`domInteractive`, `loadEventEnd`).
"""

import shutil
import statistics
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

NUM_LOADS = 5
WATCH = """window.longTasks = [];
new PerformanceObserver(list => longTasks.push(...list.getEntries().map(one => one.duration)))
  .observe({ type: 'longtask', buffered: true });"""
READ = """() => {
  const [load] = performance.getEntriesByType('navigation');
  return { 'first contentful paint': painted, 'DOM interactive': load.domInteractive,
    'load event ended': load.loadEventEnd, 'long tasks, sum': longTasks.reduce((a, b) => a + b, 0),
    'frame after load': frame, 'elements': document.querySelectorAll('*').length } }"""
# The first paint, and the first frame after the load event: from then on the page answers.
SETTLE = """async () => {
  window.painted = await new Promise(done => new PerformanceObserver(list => {
    const [found] = list.getEntriesByName('first-contentful-paint');
    if (found) done(found.startTime);
  }).observe({ type: 'paint', buffered: true }));
  window.frame = await new Promise(done =>
    requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def load(browser: Browser, report: Path) -> dict[str, float]:
    """Open the report once in a fresh window and read its times."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(120_000)  # a slow machine is to be told, not to stop
    page.add_init_script(WATCH)
    page.goto(report.absolute().as_uri())
    page.evaluate(SETTLE)
    times: dict[str, float] = page.evaluate(READ)
    context.close()
    return times


def main(report: Path) -> None:
    """Print the best and the median of each time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        loads = [load(browser, report) for _ in range(NUM_LOADS)]
        print(f"{report.name}, {report.stat().st_size / 1000:,.0f} kB, {NUM_LOADS} loads, "
              f"Chromium {browser.version}: best, median")  # fmt: skip
        browser.close()
    for name in loads[0]:
        values = [one[name] for one in loads]
        print(f"{name:24}{min(values):8,.0f}{statistics.median(values):8,.0f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.bench.page_load REPORT.html")
    main(Path(sys.argv[1]))
