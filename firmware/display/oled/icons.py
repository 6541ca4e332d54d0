"""Small pictures, drawn by hand in ``icons.toml``."""

import tomllib
from pathlib import Path

from firmware.display.oled.bitmap import Bitmap

_BITS = str.maketrans(".#", "01")
_DRAWN = tomllib.loads((Path(__file__).parent / "icons.toml").read_text(encoding="utf-8"))


def _picture(name: str) -> Bitmap:
    rows = _DRAWN[name].split()
    lit = [int(row.translate(_BITS), 2) for row in rows]
    return Bitmap.of_rows(len(rows[0]), lit)


TO_ONE = _picture("TO_ONE")
"""Beside the line of a six that is turned to a one."""
CUP = _picture("CUP")
"""The dice cup, upside down: 30×32 px."""
RATTLE = _picture("RATTLE")
"""Movement at the left of something, 7×16 px; mirrored it is movement at the right."""
RATTLE_RIGHT = RATTLE.mirrored()
MATCH = _picture("MATCH")
"""A match, 3×7 px."""
WAVES = _picture("WAVES")
"""Water, for a player who swims: 10×7 px."""
LEFTWARDS = _picture("LEFTWARDS")
"""A tilt to the left leads on, 4×7 px."""
RIGHTWARDS = LEFTWARDS.mirrored()
"""A tilt to the right leads on, 4×7 px."""
