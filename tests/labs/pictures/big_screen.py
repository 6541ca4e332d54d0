"""Draw the big screen in every state, language and size, to look at: PNG files in a folder."""

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from firmware.display.text.language import LANGUAGES
from tests.hw_sim.live.web.conftest import CHROMIUM, PATIENCE_S, SWITCHES
from tests.support.shown_screens import STATES, show_screen

SIZES = ((1920, 1080), (1280, 720))
THUMB = (640, 360)
ACROSS = 3


def main(folder: Path) -> None:
    """Write a picture of each state, and a sheet of all for each language and size."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for language in LANGUAGES:
            for width, height in SIZES:
                drawn = []
                for name in STATES:
                    page = browser.new_page(viewport={"width": width, "height": height})
                    page.set_default_timeout(PATIENCE_S * 1000)
                    show_screen(page, name, language)
                    drawn.append(folder / f"{name}-{language}-{height}.png")
                    page.screenshot(path=drawn[-1])
                    page.close()
                sheet(drawn).save(folder / f"sheet-{language}-{height}.png")
        browser.close()


def sheet(drawn: list[Path]) -> Image.Image:
    """Return all pictures small beside each other."""
    rows = -(-len(drawn) // ACROSS)
    made = Image.new("RGB", (ACROSS * THUMB[0], rows * THUMB[1]))
    for place, path in enumerate(drawn):
        at = (place % ACROSS * THUMB[0], place // ACROSS * THUMB[1])
        made.paste(Image.open(path).convert("RGB").resize(THUMB), at)
    return made


if __name__ == "__main__":
    main(Path(sys.argv[1]))
