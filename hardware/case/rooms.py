"""Room that must stay free: of plugs, of a finger, of light, of the antenna."""

from collections.abc import Iterator
from math import radians, tan
from typing import Final

from manifold3d import Manifold

from hardware.case.bodies import RED, Body, charger_socket, mm, pi_x
from hardware.case.large import power_plug
from hardware.case.sizes import Sizes
from hardware.case.solids import along_y, box, rounded
from hardware.parts import bought

CONE_MM: Final = 40.0
"""How far beyond the case the cones of light are looked at."""


def rooms(sizes: Sizes) -> Iterator[Body]:
    """Yield the room of plugs and a finger, of two cones of light, and of the antenna."""
    yield from _large_pi_rooms(sizes) if sizes.is_large else _pi_rooms(sizes)
    yield Body("cone sender", _cone(sizes, sizes.eyes_x, "sender_cone_deg", 5.0), RED, "room")
    yield Body(
        "cone receiver", _cone(sizes, sizes.receiver_x, "receiver_cone_deg", 3.0), RED, "room"
    )


def _large_pi_rooms(sizes: Sizes) -> Iterator[Body]:
    yield Body("plug power", power_plug(sizes, 0.0), RED, "room")
    end, low = sizes.pi_far + mm("large_pi.card_out"), sizes.pi_low
    finger = box((-5, end + 0.8, low - 4.5), (5, end + 15, low + 1.2))
    yield Body("finger at card", finger, RED, "room")
    x = mm("large_pi.antenna_y") - mm("large_pi.width") / 2
    yield _antenna(sizes, x, mm("large_pi.antenna_x"))


def _antenna(sizes: Sizes, x: float, inset: float) -> Body:
    """The room of an antenna on the Pi, ``inset`` from its far edge."""
    metal, far = bought().limit("antenna_metal_mm"), sizes.pi_far - inset
    room = box((x - metal, far - 4, sizes.pi_top), (x + metal, far + 12, sizes.pi_top + metal))
    return Body("antenna", room, RED, "metal room")


def _pi_rooms(sizes: Sizes) -> Iterator[Body]:
    wide, high = mm("plug.wide"), mm("plug.high")
    z = sizes.pi_top + mm("pi.usb_high") / 2
    reach = sizes.long + 20 - sizes.pi_far - 1.1
    plug = Manifold.extrude(rounded(wide, high, 1.4), reach).rotate([90, 0, 0])
    for name in ("usb", "power"):
        x = pi_x(mm(f"pi.{name}_x"))
        room = plug.translate([x, sizes.long + 20, z])
        yield Body(f"plug {name}", room, RED, "room")
    x, z = charger_socket(), sizes.floor + sizes.charger_lift + mm("charger.board") + 1.35
    room = plug.translate([x, sizes.wall, z])
    yield Body("plug charger", room, RED, "room")
    y = sizes.pi_far - mm("pi.card_y")
    end = mm("pi.length") / 2 + mm("pi.card_out")
    finger = box((end + 0.3, y - 5, sizes.pi_top - 1.2), (end + 15, y + 5, sizes.pi_top + 2.6))
    yield Body("finger at card", finger, RED, "room")
    yield _antenna(sizes, pi_x(mm("pi.antenna_x")), 0.0)


def _cone(sizes: Sizes, x: float, limit: str, across: float) -> Manifold:
    """The cone that starts at the front of an eye, so wide there."""
    start = sizes.long - (0.4 if across > 4 else sizes.wall)
    if across > 4:
        start -= sizes.sender_back
    end = sizes.long + CONE_MM
    wide = across + 2 * (end - start) * tan(radians(bought().limit(limit)))
    return along_y(x, sizes.eyes_z, start, end, across, wide)
