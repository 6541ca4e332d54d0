"""Draws docs/table.jpg: the table in the browser, some turns into a match. ``make screens``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from hw_sim.live.site.build import SITE, build
from tests.hw_sim.live.web.conftest import CHROMIUM, hosted

WHERE = Path(__file__).parents[3] / "docs" / "table.jpg"
MATCH = "#game=class&players=5&seed=25&lang=en"
PATIENCE_MS = 120_000


def main():
    if CHROMIUM is None:
        print("no Chromium, so docs/table.jpg stays as it is: on Debian install chromium")
        return
    build()
    with hosted(SITE) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, locale="en-US")
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}{MATCH}")
        page.get_by_text("Do you believe it?").first.wait_for()
        page.wait_for_timeout(600)  # until the cup has come over
        page.screenshot(path=WHERE, type="jpeg", quality=82)
        chromium.close()


if __name__ == "__main__":
    main()
