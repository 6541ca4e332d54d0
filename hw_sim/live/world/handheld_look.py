"""A handheld as anybody sees it from outside: case, lid, light and the action of its hand."""

import math
from typing import Any

from hw_sim.hand.signals import G_MPS2
from hw_sim.table.handheld import SimulatedHandheld

SHAKES_FROM_MPS2 = 4.5
"""Acceleration apart from 1 g that counts as being shaken."""
TILTS_FROM_DEG = 14.0
STEP_DEG = 4
"""Poses are rounded to such steps, so that a hand that trembles costs nothing."""
OPEN_FROM = 0.15
HELD_DEG = -16
"""The pitch of a handheld in a hand that rests."""


def handheld_look(
    seat: SimulatedHandheld, felt: tuple[float, float, float], now_us: int, *, has_power: bool
) -> dict[str, Any]:
    """Describe the present look of a handheld, without its panel, ready for JSON.

    ``felt`` is the acceleration of its case in m/s².

    ``cup``: whether it is here; ``lid``: 0 closed to 1 open; ``led``: whether the pad's is on;
    ``roll`` and ``pitch``: degrees in steps of 4, absent while it is shaken; ``doing``: "shakes",
    "lifts", "touches", "tilts" or ""; ``power``: whether it has some.
    """
    lid = round(seat.hand.openness(now_us), 2)
    led = seat.board.touch_pad.level
    look: dict[str, Any] = {
        "cup": seat.holds_cup,
        "lid": lid,
        "led": bool(led) and has_power,
        "power": has_power,
    }
    pose = pose_of(felt)
    if pose is None:
        return look | {"doing": "shakes"}
    roll, pitch = pose
    return look | {"roll": roll, "pitch": pitch, "doing": _doing(lid, bool(led), roll)}


def look_elsewhere(*, cup: bool, doing: str) -> dict[str, Any]:
    """Describe a handheld that is not simulated here, as far as the log and its phone tell."""
    pose: dict[str, Any] = {"roll": 0, "pitch": HELD_DEG}
    return pose | {"cup": cup, "lid": 0.0, "led": False, "power": True, "doing": doing}


def pose_of(felt: tuple[float, float, float]) -> tuple[int, int] | None:
    """Return roll and pitch in degrees, in steps of 4; None while the handheld is shaken."""
    x, y, z = felt
    size = math.sqrt(x * x + y * y + z * z)
    if abs(size - G_MPS2) > SHAKES_FROM_MPS2:
        return None
    return _angle(-x, size), _angle(-y, size)


def _doing(lid: float, led: bool, roll: int) -> str:
    if lid > OPEN_FROM:
        return "lifts"
    if led:
        return "touches"
    return "tilts" if abs(roll) > TILTS_FROM_DEG else ""


def _angle(part: float, size: float) -> int:
    if size < 1.0:
        return 0
    degrees = math.degrees(math.asin(max(-1.0, min(1.0, part / size))))
    return round(degrees / STEP_DEG) * STEP_DEG
