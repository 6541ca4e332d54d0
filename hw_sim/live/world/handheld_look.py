"""A handheld as anybody sees it from outside: case, lid, light and the action of its hand."""

import math
from typing import Any

from hw_sim.hand.signals.motion import G_MPS2
from hw_sim.live.world.world import World

SHAKES_FROM_MPS2 = 4.5
"""Acceleration apart from 1 g that counts as being shaken."""
TILTS_FROM_DEG = 14.0
STEP_DEG = 4
"""Poses are rounded to such steps, so that a hand that trembles costs nothing."""
OPEN_FROM = 0.15


def handheld_look(world: World, seat: int) -> dict[str, Any]:
    """Describe the present look of a seat's handheld, without its panel, ready for JSON.

    ``cup``: whether it is here; ``lid``: 0 closed to 1 open; ``led``: whether the pad's is on;
    ``roll`` and ``pitch``: degrees in steps of 4, absent while it is shaken; ``doing``: "shakes",
    "lifts", "touches", "tilts" or ""; ``power``: whether it has some; ``faults``: names, sorted.
    A handheld that is elsewhere is described as lying still.
    """
    simulated = world.table.seats[seat]
    now_us = world.now_us
    x, y, z = world.feelings[seat].felt(now_us)
    size = math.sqrt(x * x + y * y + z * z)
    shaken = abs(size - G_MPS2) > SHAKES_FROM_MPS2
    roll, pitch = _angle(-x, size), _angle(-y, size)
    lid = round(simulated.hand.openness(now_us), 2)
    led = simulated.board.touch_pad.level
    power = world.power.is_on(seat) or simulated not in world.table.here
    known: dict[str, Any] = {
        "cup": simulated.holds_cup,
        "lid": lid,
        "led": bool(led) and power,
        "power": power,
        "faults": world.power.broken(seat),
    }
    if shaken:
        known["doing"] = "shakes"
    else:
        known |= {"roll": roll, "pitch": pitch}
        known["doing"] = _doing(lid, bool(led), roll)
    return known


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
