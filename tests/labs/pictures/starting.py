"""Draws the first picture after a start: the handheld shows it before it has loaded what draws."""

from pathlib import Path

from drivers.panel import pack
from firmware.display.oled.draw import draw
from firmware.display.screens import StartingPage
from firmware.display.text.language import LANGUAGES

STARTING = Path(__file__).parents[3] / "firmware" / "runtime" / "pictures"

if __name__ == "__main__":
    for language in LANGUAGES:
        path = STARTING / f"starting-{language}.bin"
        path.write_bytes(pack(draw(StartingPage(), language).columns))
        print(f"wrote {path}")
