"""Draws the icons of the home screen from ``icon.svg``. ``make screens``."""

from playwright.sync_api import sync_playwright

from hw_sim.live.site.build import STATIC
from tests.hw_sim.live.web.conftest import CHROMIUM

SIZES_PX = (180, 192, 512)
_PAGE = """<body style="margin:0;background:#14452f;display:grid;place-items:center;height:100vh">
<div style="width:56%">{svg}</div>"""


def main():
    if CHROMIUM is None:
        print("no Chromium, so the icons stay as they are: on Debian install chromium")
        return
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for size in SIZES_PX:
            page = chromium.new_page(viewport={"width": size, "height": size})
            page.set_content(_PAGE.format(svg=svg))
            page.screenshot(path=STATIC / f"icon-{size}.png")
        chromium.close()


if __name__ == "__main__":
    main()
