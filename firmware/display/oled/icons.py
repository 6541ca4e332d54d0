"""Small pictures, drawn by hand in ``icons.toml``."""

import tomllib
from pathlib import Path

from PIL import Image

from firmware.display.oled.font import LIT

_DRAWN = tomllib.loads((Path(__file__).parent / "icons.toml").read_text(encoding="utf-8"))


def _picture(name: str) -> Image.Image:
    rows = _DRAWN[name].split()
    picture = Image.new("1", (len(rows[0]), len(rows)))
    picture.putdata([LIT * (pixel == "#") for row in rows for pixel in row])
    return picture


TO_ONE = _picture("TO_ONE")
"""Beside the line of a six that is turned to a one."""
CUP = _picture("CUP")
"""The dice cup, upside down: 30×32 px."""
RATTLE = _picture("RATTLE")
"""Movement at the left of something, 7×16 px; mirrored it is movement at the right."""
RATTLE_RIGHT = RATTLE.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
MATCH = _picture("MATCH")
"""A match, 3×7 px."""
WAVES = _picture("WAVES")
"""Water, for a player who swims: 10×7 px."""
LEFTWARDS = _picture("LEFTWARDS")
"""A tilt to the left leads on, 4×7 px."""
RIGHTWARDS = LEFTWARDS.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
"""A tilt to the right leads on, 4×7 px."""
