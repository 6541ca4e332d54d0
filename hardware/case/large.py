"""A Pi 4 or 5 in the case: the body, the openings of the shells for it, and the columns."""

from collections.abc import Iterator
from typing import Final

from manifold3d import Manifold

from hardware.case.bodies import DARK, GREEN, STEEL, Body, carrier_span, half_width, mm, pi_holes
from hardware.case.sizes import Sizes
from hardware.case.solids import box, joined, rod, rounded, slab

VENT_MM: Final = (2.2, 11.0)
"""Width and height of a slot in the side."""
COLUMN_MM: Final = 5.0


def large_pi(sizes: Sizes) -> Iterator[Body]:
    """Yield a Pi 4 or 5 with its card, and the socket on its header, in place.

    It lies with its card at the far edge and its header at the right. Pi 4 and 5 have USB and
    Ethernet in different order, so both are one block.
    """
    far, low, top = sizes.pi_far, sizes.pi_low, sizes.pi_top
    length, width = mm("large_pi.along"), mm("large_pi.width")
    middle, half = far - length / 2, width / 2
    board = slab(rounded(width, length, mm("pi.corner")).translate([0, middle]), low, top) - joined(
        rod(x, y, low - 1, top + 1, mm("pi.hole")) for x, y in pi_holes(sizes)
    )
    near = sizes.pi_near - mm("large_pi.usb_out")
    across = mm("large_pi.usb_wide") / 2
    usb = box(
        (-across, near, top),
        (across, near + mm("large_pi.usb_deep"), top + mm("large_pi.usb_high")),
    )
    y = far - mm("large_pi.power_y")
    deep, wide = mm("large_pi.power_deep"), mm("large_pi.power_wide") / 2
    out = half + mm("large_pi.power_out")
    power = box((-out, y - wide, top), (deep - out, y + wide, top + mm("large_pi.power_high")))
    chip = box((-3, far - 37, top), (12, far - 22, top + 2.4))
    x, y = half - mm("pi.header_inset"), far - mm("large_pi.header_y")
    plastic = top + mm("pi.header_plastic")
    header = box((x - 2.54, y - 25.4, top), (x + 2.54, y + 25.4, plastic))
    yield Body("pi", joined([board, chip, header]), GREEN, floor=2)
    yield Body("sockets", usb + power, STEEL, metal=True, floor=2)
    long = mm("socket.length") / 2
    socket = box((x - 2.54, y - long, plastic), (x + 2.54, y + long, sizes.wires_top))
    yield Body("socket", socket, DARK, metal=True, floor=3)
    wide, out = mm("pi.card_wide") / 2, mm("large_pi.card_out")
    card = box((-wide, far - mm("pi.card_deep"), low - mm("pi.card_high")), (wide, far + out, low))
    yield Body("card", card, DARK, floor=1)


def power_place(sizes: Sizes) -> tuple[float, float, float]:
    """Return the middle of the front of the socket for power."""
    out = mm("large_pi.width") / 2 + mm("large_pi.power_out")
    z = sizes.pi_top + mm("large_pi.power_high") / 2
    return -out, sizes.pi_far - mm("large_pi.power_y"), z


def power_plug(sizes: Sizes, air: float) -> Manifold:
    """Return the room of a USB-C plug, from the socket to 20 mm beyond the side."""
    x, y, z = power_place(sizes)
    wide, high = mm("power_plug.wide") + 2 * air, mm("power_plug.high") + 2 * air
    start = half_width(sizes, y) + 20
    plug = Manifold.extrude(rounded(wide, high, 1.6), start + x)
    return plug.rotate([90, 0, 90]).translate([-start, y, z])


def vents(sizes: Sizes) -> Manifold:
    """Return the slots in both sides, between the sockets and the plug for power."""
    wide, high = VENT_MM
    found = []
    for n in range(sizes.vents):
        y = sizes.long / 2 + 9 + (n - (sizes.vents - 1) / 2) * 2 * wide
        half = half_width(sizes, y)
        for side in (-1, 1):
            x = side * half
            slot = rounded(wide, high, wide / 2 - 0.01)
            bar = Manifold.extrude(slot, 2 * sizes.wall + 2).rotate([90, 0, 90])
            low = sizes.split + 4
            found.append(bar.translate([x - sizes.wall - 1, y, low + high / 2]))
    return joined(found)


def columns(sizes: Sizes) -> Manifold:
    """Return four columns of the lower shell that the carrier lies on, with a lip at its sides."""
    half, near, far = carrier_span(sizes)
    start = mm("large_pi.width") / 2 + sizes.gap
    top = sizes.carrier_low
    found = []
    for side in (-1, 1):
        for y in (near + COLUMN_MM / 2 + 1, far - COLUMN_MM / 2 - 1):
            end = half + 2.2
            for low_x, high_x, high in ((start, end, top), (half + 0.2, end, top + 2.4)):
                x = sorted((side * low_x, side * high_x))
                found.append(
                    box(
                        (x[0], y - COLUMN_MM / 2, sizes.floor - 0.5),
                        (x[1], y + COLUMN_MM / 2, high),
                    )
                )
    return joined(found)
