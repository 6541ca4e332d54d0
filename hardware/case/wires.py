"""The work of iron and cables as bodies: joints, cut leads, bare tips, and the way of each wire.

Wires bend, so nothing holds them; they have their room all the same. A joint is bare metal.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from manifold3d import Manifold

from hardware.case.bodies import (
    BUMP_MM,
    CARRIER_MM,
    STEEL,
    TOLD,
    Body,
    Place,
    mm,
    pad_joints,
    pin_place,
    shim_socket,
)  # fmt: skip
from hardware.case.carrier import LEGS, leg_places
from hardware.case.sizes import Sizes
from hardware.case.solids import box, joined, rod

LEAD_MM: Final = 1.0
"""How much of a lead stands out of a joint when it is cut."""
WIRE_MM, CABLE_MM = 1.3, 2.2
"""Across a jumper wire, and across the four wires of a ready cable together."""


def int1(sizes: Sizes) -> Place:
    """Return the hole INT1 on the upper side of the accelerometer's board."""
    x = mm("qt_accelerometer.int1_x") - mm("qt_accelerometer.length") / 2
    y = mm("qt_accelerometer.int1_y") - mm("qt_accelerometer.width") / 2
    return x, sizes.accelerometer_y + y, sizes.pi_low + mm("qt.board")


def piezo_pins(sizes: Sizes) -> list[Place]:
    """Return where the piezo's two legs end."""
    low = sizes.plate_low - 0.05 - mm("piezo.high") - mm("piezo.leg")
    return [(side * mm("piezo.pitch") / 2, sizes.piezo_y, low) for side in (-1, 1)]


def joints(sizes: Sizes) -> Iterator[Body]:
    """Yield the bare metal on each part; the last words of a name are the part it is on."""
    x, y, z = int1(sizes)
    board = mm("qt.board")
    yield _joint("joint accelerometer", rod(x, y, z - board - LEAD_MM, z + LEAD_MM, 1.8))
    x, y = mm("qt_display.length") / 2 - mm("qt_display.sj3_x"), mm("qt_display.sj3_y")
    low = sizes.plate_low - sizes.display_post - board
    y += sizes.display_y - mm("qt_display.width") / 2
    yield _joint("joint display", rod(x, y, low - 0.6, low, 1.6))
    high = mm("pad.board") + BUMP_MM
    pads = joined(rod(x, y, z - LEAD_MM, z + high, 1.6) for x, y, z in pad_joints(sizes))
    yield _joint("joint pad", pads)
    legs = (
        rod(x, y, z, z + mm("piezo.leg"), 0.6) + rod(x, y, z - 0.4, z + 1.4, 1.8)
        for x, y, z in piezo_pins(sizes)
    )
    yield _joint("joint piezo", joined(legs))
    tips = [_tip(sizes, n, sizes.pi_low - 1.3, sizes.pi_low, 0.9) for n in range(1, 41)]
    tips += [
        _tip(sizes, n, sizes.header_top, sizes.pi_low + mm("pi.header_end"), 0.32)
        for n in range(7, 41)
        if str(n) not in {pin for pin, _ in TOLD.wires.values()}
    ]
    yield _joint("tips pi", joined(tips))


def _tip(sizes: Sizes, pin: int, low: float, high: float, half: float) -> Manifold:
    x, y = pin_place(sizes, pin)
    return box((x - half, y - half, low), (x + half, y + half, high))


def _joint(name: str, solid: Manifold) -> Body:
    return Body(name, solid, STEEL, "joint", metal=True)


def wires(sizes: Sizes) -> Iterator[Body]:
    """Yield each wire from its joint to its socket on the header, and each ready cable."""
    starts = [int1(sizes), *(pad_joints(sizes)[n] for n in (0, 2, 1)), *piezo_pins(sizes)]
    below = sizes.carrier_top - CARRIER_MM - 0.5
    starts += [(*leg_places(sizes)[leg], below) for leg in (*TOLD.wires,)[len(starts) :]]
    for (leg, (pin, colour)), start in zip(TOLD.wires.items(), starts, strict=True):
        x, y, low = _on_header(sizes, int(pin))
        if not leg.startswith(("R5", "piezo")):  # the wire begins at the tip of its joint
            start = (start[0], start[1], start[2] + (0.7 if start[2] < 20 else -0.7))
        way = [
            start,
            *_between(sizes, leg, start),
            (x, y, low + mm("jumper.high") + 1.5),
        ]
        body = tube(way, WIRE_MM) + _socket(x, y, low)
        if leg == "R5.1":
            body += tube(way[1:3], 2.6)  # R5 in its sleeve
        yield Body(f"wire {leg}", body, colour, "wire", metal=True, floor=4)
    for name, way in _cables(sizes):
        yield Body(f"wire {name}", tube(way, CABLE_MM), (34, 34, 38), "wire", metal=True, floor=4)


def plugs(sizes: Sizes) -> dict[str, Manifold]:
    """Return the socket of each wire, on the header, by the name of the wire."""
    return {
        f"wire {leg}": _socket(*_on_header(sizes, int(n))) for leg, (n, _) in TOLD.wires.items()
    }


def _on_header(sizes: Sizes, pin: int) -> Place:
    low = sizes.header_top + (mm("shim.board") if pin <= 6 else 0)
    return *pin_place(sizes, pin), low


def _socket(x: float, y: float, low: float) -> Manifold:
    half = mm("jumper.across") / 2
    pin = box((x - 0.4, y - 0.4, low - 1), (x + 0.4, y + 0.4, low + 9))
    return box((x - half, y - half, low), (x + half, y + half, low + mm("jumper.high"))) - pin


def _between(sizes: Sizes, leg: str, start: Place) -> list[Place]:
    """The bends of a wire: under the display, between its two sockets."""
    x, y, z = start
    px, py = pin_place(sizes, int(TOLD.wires[leg][0]))
    if leg == "ADXL345.INT1":
        return [(x, y, z + 3), (x, y + 6, z + 5), (px - 2, py - 14, z + 8), (px, py - 7, z + 15)]
    if leg == "R5.1":
        return [(x - 4, y - 5, z - 1.5), (x - 10, y - 9, z - 1), (px, py + 4, z + 2)]
    if leg == "piezo.-":
        return [(x - 5, y - 7, z - 1), (x - 13, py + 1, z)]
    middle = (x + px) / 2
    if leg in LEGS:
        return [(x, y - 2, z - 2), (middle, py + 9, z - 3), (px + (3 if x > px else -4), py + 3, z)]
    return [(x, y + 2, z - 3), (x, y + 5, z - 4), (middle, y + 15, z - 8), (px, py - 8, z - 8)]


def _cables(sizes: Sizes) -> Iterator[tuple[str, list[Place]]]:
    """The three ready cables; each end is in the room that its plug has."""
    x, y, top = shim_socket(sizes)
    half, board, high = mm("qt_accelerometer.length") / 2, sizes.accelerometer_y, mm("qt.high") / 2
    out = mm("qt.plug") - 2
    on_base = sizes.pi_low + mm("qt.board") + high
    shim = (x + 2.1 + out, y, top - high)
    low = sizes.plate_low - sizes.display_post - mm("qt.board") - high
    side = mm("qt_display.length") / 2 + out
    light = sizes.light_x + mm("qt_light.length") / 2 + out
    level = sizes.light_top + high
    far, near = sizes.display_y, sizes.light_y
    plugged = out - 1.2
    yield "cable 1", [
        (shim[0] - plugged, y, shim[2]), shim, (shim[0] + 3, y - 5, shim[2]),
        (half + out + 4, board + 4, on_base + 1), (half + 1.2, board, on_base),
    ]  # fmt: skip
    yield "cable 2", [
        (-half - 1.2, board, on_base), (-half - out, board, on_base),
        (-half - out - 7, board + 2, on_base + 5), (-side - 5, far - 6, low - 5),
        (-side, far, low), (plugged - side, far, low),
    ]  # fmt: skip
    yield "cable 3", [
        (side - plugged, far, low), (side, far, low), (side + 4, far - 6, low - 2),
        (side - 5, far - 20, low - 6), (light + 4, near + 8, level - 4),
        (light + 0.6, near + 2, level), (light, near, level), (light - plugged, near, level),
    ]  # fmt: skip


def tube(way: Sequence[Place], across: float) -> Manifold:
    """Return a round wire through places."""
    ball = Manifold.sphere(across / 2, 10)
    balls = [ball.translate(list(place)) for place in way]
    return joined(Manifold.batch_hull([one, other]) for one, other in pairwise(balls))
