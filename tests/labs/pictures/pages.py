"""Draws what pages and panels look like, for documents, the site and handhelds. ``make screens``.

``python -m tests.labs.pictures.pages NAME ...`` draws some alone: ``starting``, ``table``,
``icons`` and ``pages``; without a name all four.
"""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, sync_playwright

from drivers.panel import pack
from firmware.display.oled.draw import draw
from firmware.display.screens import StartingPage
from firmware.display.text.language import LANGUAGES
from hw_sim.live.site.build import SITE, STATIC, build
from tests.hw_sim.live.web.conftest import CHROMIUM, SWITCHES, hosted
from tests.support.shown_pages import STATES, digests, show

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
TABLE, SHEET, DIGESTS = DOCS / "table.jpg", DOCS / "pages.jpg", DOCS / "pages.json"
STARTING = ROOT / "firmware" / "runtime" / "pictures"

MATCH = "#game=class&players=5&seed=25&lang=en"
PATIENCE_MS = 120_000
ICONS_PX = (180, 192, 512)
_ICON = """<body style="margin:0;background:#14452f;display:grid;place-items:center;height:100vh">
<div style="width:56%">{svg}</div>"""
SIZES = (
    ("/seat", 390, 844, "all"),
    ("/seat", 360, 640, "all"),
    ("/seat", 360, 640, ""),
    ("/seat", 844, 390, "all"),
    ("/", 390, 844, "all"),
    ("/", 1440, 900, "all"),
)
"""The page, its size in px, and which lessons are learned: all, or none yet."""
HIGH = 220
GAP, CAPTION = 8, 16


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for as long as the block lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


def starting() -> None:
    """Draw what the handheld shows before it has loaded what draws."""
    for language in LANGUAGES:
        path = STARTING / f"starting-{language}.bin"
        path.write_bytes(pack(draw(StartingPage(), language).columns))
        print(f"wrote {path}")


def table() -> None:
    """Draw docs/table.jpg: the table in the browser, some turns into a match."""
    build()
    with hosted(SITE) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en-US")
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}{MATCH}")
        page.get_by_text("Do you believe it?").first.wait_for()
        page.wait_for_timeout(600)  # until the cup has come over
        page.screenshot(path=TABLE, type="jpeg", quality=82)


def icons() -> None:
    """Draw the icons of the home screen from ``icon.svg``."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with chromium() as browser:
        for size in ICONS_PX:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(_ICON.format(svg=svg))
            page.screenshot(path=STATIC / f"icon-{size}.png")


def pages() -> None:
    """Draw docs/pages.jpg: every state of every game, on phones and at the table."""
    rows = []
    with chromium() as browser:
        for number, (name, state) in enumerate(STATES.items()):
            row = []
            for path, wide, high, learned in SIZES:
                page = browser.new_page(
                    viewport={"width": wide, "height": high}, reduced_motion="reduce"
                )
                show(page, path, state, ("de", "en")[number % 2], learned=learned)
                shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                row.append(shot.resize((round(wide * HIGH / high), HIGH), Image.Resampling.LANCZOS))
                page.close()
            rows.append((f"{state.game}: {name}", row))
    captioned(rows).save(SHEET, quality=60, optimize=True)
    DIGESTS.write_text(json.dumps(digests(), indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {SHEET}")


def captioned(rows: list[tuple[str, list[Image.Image]]]) -> Image.Image:
    """Return one row for each state, two side by side, with its name above."""
    wide = sum(picture.width + GAP for picture in rows[0][1])
    high = HIGH + GAP + CAPTION
    lines = -(-len(rows) // 2)
    drawn = Image.new("RGB", (2 * wide, lines * high), "#202020")
    pen = ImageDraw.Draw(drawn)
    for place, (name, pictures) in enumerate(rows):
        left, top = place // lines * wide, place % lines * high
        pen.text((left + 2, top + 2), name, fill="#f2c45a")
        for picture in pictures:
            drawn.paste(picture, (left, top + CAPTION))
            left += picture.width + GAP
    return drawn


DRAWN = {each.__name__: each for each in (starting, table, icons, pages)}


def main(names: list[str]) -> None:
    if not set(names) <= {*DRAWN}:
        sys.exit(f"no such picture: choose from {', '.join(DRAWN)}")
    for name in names or DRAWN:
        if name != "starting" and CHROMIUM is None:
            print(f"no Chromium, so nobody draws {name}: on Debian install chromium")
        else:
            DRAWN[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
