"""The work of iron and cables as bodies, and the room that plugs, a finger and the antenna need.

Wires bend, so nothing holds them; they have their room all the same. A joint is bare metal.

All numbers are chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from manifold3d import Manifold

from hardware.case.bodies import (
    BUMP_MM,
    CARRIER_MM,
    RED,
    STEEL,
    TOLD,
    Body,
    Place,
    mm,
    pad_joints,
    pi_x,
    pin_place,
    shim_socket,
)  # fmt: skip
from hardware.case.carrier import LEGS, leg_places
from hardware.case.sizes import Sizes
from hardware.case.solids import box, joined, rod, rounded
from hardware.parts import bought

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
        return [(x, y - 2, z - 3), (middle, py + 9, z - 3), (px + (3 if x > px else -4), py + 3, z)]
    return [(x, y + 2, z - 3), (x, y + 5, z - 4), (middle, y + 15, z - 8), (px, py - 8, z - 8)]


def qt_sockets(sizes: Sizes) -> dict[str, tuple[float, float, float, int]]:
    """Return the sockets that the chain uses: x of the opening, y, its middle z, 1 to the right."""
    high, half = mm("qt.high"), mm("qt_accelerometer.length") / 2
    x, y, top = shim_socket(sizes)
    on_base = sizes.pi_low + mm("qt.board") + high / 2
    below = sizes.plate_low - sizes.display_post - mm("qt.board") - high / 2
    light = sizes.light_x + mm("qt_light.length") / 2
    found = {"SHIM": (x + 2.1, y, top - high / 2, 1)}
    found["light"] = (light, sizes.light_y, sizes.light_top + high / 2, 1)
    for side, word in ((-1, "left"), (1, "right")):
        across = side * mm("qt_display.length") / 2
        found[f"accelerometer {word}"] = (side * half, sizes.accelerometer_y, on_base, side)
        found[f"display {word}"] = (across, sizes.display_y, below, side)
    return found


CABLES: Final[Mapping[str, Sequence[tuple[str, float, float, float]]]] = {
    "cable 1": [("SHIM", 3, -5, 0), ("accelerometer right", 4, 4, 1)],
    "cable 2": [("accelerometer left", 7, 2, 5), ("display left", 5, -6, -5)],
    "cable 3": [("display right", 4, -6, -2), ("display right", -5, -20, -6),
                ("light", 4, 8, -4), ("light", 0.6, 2, 0)],
}  # fmt: skip
"""By ready cable: its bends, each from the end of the plug in this socket, in mm."""


def _cables(sizes: Sizes) -> Iterator[tuple[str, list[Place]]]:
    """The ways of the ready cables; each end is in the room that its plug has."""
    found, out = qt_sockets(sizes), mm("qt.plug") - 2

    def at(name: str, away: float, along: float = 0, up: float = 0) -> Place:
        x, y, z, side = found[name]
        return x + side * away, y + along, z + up

    for cable, bends in CABLES.items():
        start, *_, end = (name for name, *_ in bends)
        way = [at(name, out + away, along, up) for name, away, along, up in bends]
        yield cable, [at(start, 1.2), at(start, out), *way, at(end, out), at(end, 1.2)]


def tube(way: Sequence[Place], across: float) -> Manifold:
    """Return a round wire through places."""
    ball = Manifold.sphere(across / 2, 10)
    balls = [ball.translate(list(place)) for place in way]
    return joined(Manifold.batch_hull([one, other]) for one, other in pairwise(balls))


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
    for name, (x, y, z, side) in qt_sockets(sizes).items():
        start, end = sorted((x + side * 0.1, x + side * mm("qt.plug")))
        low, high = z - mm("qt.high") / 2 + 0.1, z + mm("qt.high") / 2
        room = box((start, y - 2.6, low), (end, y + 2.6, high))
        yield Body(f"cable {name}", room, RED, "room")
    metal, x = bought().limit("antenna_metal_mm"), pi_x(mm("pi.antenna_x"))
    antenna = box(
        (x - metal, sizes.pi_far - 4, sizes.pi_top),
        (x + metal, sizes.pi_far + 12, sizes.pi_top + metal),
    )
    yield Body("antenna", antenna, RED, "metal room")
