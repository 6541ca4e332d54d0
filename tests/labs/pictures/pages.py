"""Draws docs/pages.jpg: every state of every game, on phones and at the table. ``make screens``."""

import io
import json
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from tests.hw_sim.live.web.conftest import CHROMIUM
from tests.support.shown_pages import STATES, digests, show

DOCS = Path(__file__).parents[3] / "docs"
SHEET, DIGESTS = DOCS / "pages.jpg", DOCS / "pages.json"
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
ROOM, CAPTION = 8, 16


def main():
    if CHROMIUM is None:
        print("no Chromium, so docs/pages.jpg stays as it is: on Debian install chromium")
        return
    rows = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for number, (name, state) in enumerate(STATES.items()):
            language = ("de", "en")[number % 2]
            row = []
            for path, wide, high, learned in SIZES:
                page = chromium.new_page(
                    viewport={"width": wide, "height": high}, reduced_motion="reduce"
                )
                show(page, path, state, language, learned=learned)
                shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                row.append(shot.resize((round(wide * HIGH / high), HIGH), Image.Resampling.LANCZOS))
                page.close()
            rows.append((f"{state.game}: {name}", row))
        chromium.close()
    sheet(rows).save(SHEET, quality=60, optimize=True)
    DIGESTS.write_text(json.dumps(digests(), indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {SHEET}")


def sheet(rows):
    """One row for each state, two side by side, with its name above."""
    wide = sum(picture.width + ROOM for picture in rows[0][1])
    high = HIGH + ROOM + CAPTION
    lines = -(-len(rows) // 2)
    drawn = Image.new("RGB", (2 * wide, lines * high), "#202020")
    pen = ImageDraw.Draw(drawn)
    for place, (name, pictures) in enumerate(rows):
        left, top = place // lines * wide, place % lines * high
        pen.text((left + 2, top + 2), name, fill="#f2c45a")
        for picture in pictures:
            drawn.paste(picture, (left, top + CAPTION))
            left += picture.width + ROOM
    return drawn


if __name__ == "__main__":
    main()
