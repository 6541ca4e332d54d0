"""Room that must stay free: of plugs with their leads, of a finger, of the antenna."""

from collections.abc import Iterator
from typing import Final

from manifold3d import Manifold

from hardware.case.bodies import RED, Body, mm, pi_x, shim_socket
from hardware.case.sizes import Sizes
from hardware.case.solids import box, rounded
from hardware.parts import bought

HAND_MM: Final = 20.0
"""How far outside the case a hand holds a plug."""


def rooms(sizes: Sizes) -> Iterator[Body]:
    """Yield the room of each plug, of a finger at the card, and of the antenna."""
    wide, high = mm("plug.wide"), mm("plug.high")
    z = sizes.pi_top + mm("pi.usb_high") / 2
    reach = sizes.long + HAND_MM - sizes.pi_far - 1.1
    plug = Manifold.extrude(rounded(wide, high, 1.4), reach).rotate([90, 0, 0])
    room = plug.translate([pi_x(mm("pi.power_x")), sizes.long + HAND_MM, z])
    yield Body("plug power", room, RED, "room")
    y = sizes.pi_far - mm("pi.card_y")
    end = mm("pi.length") / 2 + mm("pi.card_out")
    finger = box((end + 0.3, y - 5, sizes.pi_top - 1.2), (end + 15, y + 5, sizes.pi_top + 2.6))
    yield Body("finger at card", finger, RED, "room")
    yield from _cables(sizes)
    metal, x = bought().limit("antenna_metal_mm"), pi_x(mm("pi.antenna_x"))
    antenna = box(
        (x - metal, sizes.pi_far - 4, sizes.pi_top),
        (x + metal, sizes.pi_far + 12, sizes.pi_top + metal),
    )
    yield Body("antenna", antenna, RED, "metal room")


def _cables(sizes: Sizes) -> Iterator[Body]:
    """The room of the plugs of the ready cables, in the sockets that the chain uses."""
    high = mm("qt.high")
    on_base = sizes.pi_low + mm("qt.board")
    below = sizes.plate_low - sizes.display_post - mm("qt.board") - high
    half = {part: mm(f"{part}.length") / 2 for part in ("qt_accelerometer", "qt_display")}
    x, y, top = shim_socket(sizes)
    ends = [
        ("SHIM", x + 2.1, 1, y, top - high),
        ("light", sizes.light_x + mm("qt_light.length") / 2, 1, sizes.light_y, sizes.light_top),
    ]
    for side, word in ((-1, "left"), (1, "right")):
        across = half["qt_accelerometer"]
        ends.append((f"accelerometer {word}", side * across, side, sizes.accelerometer_y, on_base))
        ends.append((f"display {word}", side * half["qt_display"], side, sizes.display_y, below))
    for name, x, side, y, low in ends:
        start, end = sorted((x + side * 0.1, x + side * mm("qt.plug")))
        room = box((start, y - 2.6, low + 0.1), (end, y + 2.6, low + high))
        yield Body(f"cable {name}", room, RED, "room")
