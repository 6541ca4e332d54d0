"""The bodies in the case: every bought part, and the room that must stay free."""

from collections.abc import Iterator
from math import radians, tan
from typing import Final, Literal, NamedTuple

from manifold3d import Manifold

from hardware.case.sizes import Sizes
from hardware.case.solids import (
    along_x,
    along_y,
    box,
    joined,
    rod,
    rounded,
    shrunk,
    slab,
    tapered,
)
from hardware.parts import bought

Kind = Literal["part", "room", "metal room"]
RGB = tuple[int, int, int]

GREEN: Final = (38, 92, 58)
BLUE: Final = (36, 52, 120)
DARK: Final = (34, 34, 38)
STEEL: Final = (176, 180, 186)
GOLD: Final = (201, 160, 72)
CELL: Final = (188, 192, 198)
RED: Final = (168, 40, 36)
BROWN: Final = (176, 134, 84)
GLASS: Final = (16, 18, 26)
CLEAR: Final = (206, 214, 232)
CONE_MM: Final = 40.0
"""How far beyond the case the cones of light are looked at."""


class Body(NamedTuple):
    """A thing in the case, or a room that must stay free of others.

    Attributes:
        kind: of a ``metal room`` only metal must stay out.
        metal: whether it keeps radio waves away.
        floor: how far it moves in an exploded view, in steps from the bottom.
    """

    name: str
    solid: Manifold
    colour: RGB
    kind: Kind = "part"
    metal: bool = False
    floor: int = 1


def half_width(sizes: Sizes, y: float) -> float:
    """Return the distance from the middle to the outside of the case at ``y``, without z."""
    cut = outline_of(sizes) ^ rounded(2 * sizes.far, 0.2, 0.05).translate([0, y])
    return float(cut.bounds()[2])


def outline_of(sizes: Sizes) -> Manifold:
    """Return the outline of the case, seen from above, as a cross section."""
    corners = (sizes.near_corner, sizes.far_corner)
    return tapered(sizes.near, sizes.far, sizes.long, corners, sizes.bulge)


def bodies(sizes: Sizes) -> list[Body]:
    """Return everything that lies in the case, and the rooms."""
    return [*_parts(sizes), *_rooms(sizes)]


def _mm(name: str) -> float:
    part, _, dimension = name.partition(".")
    return bought().mm(part, dimension)


def _parts(sizes: Sizes) -> Iterator[Body]:
    yield Body("pi", _pi(sizes), GREEN, metal=False, floor=2)
    yield Body("card", _card(sizes), DARK, floor=2)
    yield Body("carrier", _carrier(sizes), BROWN, floor=4)
    yield Body("accelerometer", _accelerometer(sizes), BLUE, floor=4)
    yield Body("small parts", _small_parts(sizes), DARK, metal=False, floor=4)
    yield Body("display", _display(sizes), BLUE, metal=True, floor=6)
    yield Body("glass", _glass(sizes), GLASS, floor=6)
    yield Body("light", _light(sizes), DARK, floor=5)
    yield Body("pad", _pad(sizes), RED, floor=6)
    yield Body("receiver", _receiver(sizes), DARK, metal=True, floor=3)
    yield Body("sender", _sender(sizes), CLEAR, metal=True, floor=3)
    yield Body("piezo", _piezo(sizes), DARK, metal=True, floor=5)
    yield Body("charger", _charger(sizes), BLUE, metal=True, floor=2)
    yield Body("cell", _cell(sizes), CELL, metal=True, floor=3)
    yield Body("switch", _switch(sizes), STEEL, metal=True, floor=5)
    yield Body("pane", _pane(sizes), GLASS, floor=10)
    for number, (x, y) in enumerate(screw_places(sizes)):
        yield Body(f"screw {number + 1}", _screw(sizes, x, y), STEEL, metal=True, floor=-2)


def _pi(sizes: Sizes) -> Manifold:
    length, width = _mm("pi.length"), _mm("pi.width")
    middle = sizes.pi_far - width / 2
    top = sizes.pi_top
    board = slab(
        rounded(length, width, _mm("pi.corner")).translate([0, middle]), sizes.pi_low, top
    ) - joined(rod(x, y, sizes.pi_low - 1, top + 1, _mm("pi.hole")) for x, y in pi_holes(sizes))
    plugs = [("hdmi", "hdmi"), ("usb", "usb"), ("power", "usb")]
    sockets = [
        box(
            (pi_x(_mm(f"pi.{at}_x")) - _mm(f"pi.{size}_wide") / 2,
             sizes.pi_far + _mm("pi.plug_out") - _mm(f"pi.{size}_deep"), top),
            (pi_x(_mm(f"pi.{at}_x")) + _mm(f"pi.{size}_wide") / 2,
             sizes.pi_far + _mm("pi.plug_out"), top + _mm(f"pi.{size}_high")),
        )
        for at, size in plugs
    ]  # fmt: skip
    y = sizes.header_y
    pins = [
        box(
            (x - 0.32, y + side * 1.27 - 0.32, sizes.pi_low - 1.2),
            (x + 0.32, y + side * 1.27 + 0.32, sizes.pi_low + _mm("pi.header_end")),
        )
        for n in range(20)
        for side in (-1, 1)
        for x in [(n - 9.5) * 2.54]
    ]
    plastic = box((-25.4, y - 2.54, top), (25.4, y + 2.54, top + _mm("pi.header_plastic")))
    chip = box((-9, middle - 4, top), (6, middle + 9, top + 1.3))
    return joined([board, plastic, chip, *sockets, *pins])


def pi_x(from_left: float) -> float:
    """Return x of something that lies so far from the Pi's left end in its maker's drawing.

    The Pi lies turned by half a turn: its sockets look to the far edge, its card to the right.
    """
    return _mm("pi.length") / 2 - from_left


def pi_holes(sizes: Sizes) -> list[tuple[float, float]]:
    """Return the middles of the Pi's holes, the two at the far edge first."""
    inset = _mm("pi.hole_inset")
    x = _mm("pi.length") / 2 - inset
    far, near = sizes.pi_far - inset, sizes.pi_near + inset
    return [(-x, far), (x, far), (-x, near), (x, near)]


def _card(sizes: Sizes) -> Manifold:
    y, wide = sizes.pi_far - _mm("pi.card_y"), _mm("pi.card_wide")
    end = _mm("pi.length") / 2
    return box(
        (end - _mm("pi.card_deep"), y - wide / 2, sizes.pi_top),
        (end + _mm("pi.card_out"), y + wide / 2, sizes.pi_top + _mm("pi.card_high")),
    )


def carrier_span(sizes: Sizes) -> tuple[float, float, float]:
    """Return half the width of the carrier board, its near edge and its far edge."""
    pitch = _mm("carrier.pitch")
    far = sizes.header_y + 2.5 * pitch
    return 12 * pitch, far - 12 * pitch, far


def _carrier(sizes: Sizes) -> Manifold:
    half, near, far = carrier_span(sizes)
    low = sizes.carrier_low
    pins = box(
        (-25.2, sizes.header_y - 1.7, low - 1), (25.2, sizes.header_y + 1.7, low + 3)
    )  # the pins of the header stand in the holes
    return box((-half, near, low), (half, far, low + _mm("carrier.board"))) - pins


def _accelerometer(sizes: Sizes) -> Manifold:
    """The module lies at the left of the carrier; its own turn is part of the sizes."""
    half, near, _ = carrier_span(sizes)
    low = sizes.carrier_low + _mm("carrier.board")
    size = (_mm("accelerometer.length"), _mm("accelerometer.width"))
    board = box((0, 0, low), (*size, low + _mm("accelerometer.board")))
    chip = box((8.5, 6, low + 1), (11.5, 11, low + _mm("accelerometer.board") + 1.1))
    return (board + chip).translate([-half + 1, near + 1, 0])


def _small_parts(sizes: Sizes) -> Manifold:
    """Room for resistors, transistor and capacitor, which lie flat on the carrier."""
    half, near, _ = carrier_span(sizes)
    low = sizes.carrier_low + _mm("carrier.board")
    lying = [
        along_x(near + 4 + 4.5 * row, low + 1.3, -6 + 13 * column, 0.5 + 13 * column, 2.4)
        for row in range(3)
        for column in range(2)
    ]
    transistor = box((half - 9, near + 2, low), (half - 4, near + 8, low + 4))
    capacitor = along_y(half - 6, low + 2.1, near + 10, near + 17, 4.0)
    return joined([*lying, transistor, capacitor])


def _display(sizes: Sizes) -> Manifold:
    length, width = _mm("display.length"), _mm("display.width")
    top = sizes.front_low - 0.1 - _mm("display.glass")
    low = top - _mm("display.board")
    y = sizes.display_y
    board = box((-length / 2, y - width / 2, low), (length / 2, y + width / 2, top))
    behind = box((-9, y - 8, low - _mm("display.behind")), (9, y + 8, low))
    dx, dy = _mm("display.hole_x") / 2, _mm("display.hole_y") / 2
    holes = [
        rod(a * dx, y + b * dy, low - 1, top + 1, _mm("display.hole"))
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    return board + behind - joined(holes)


def _glass(sizes: Sizes) -> Manifold:
    length, width = _mm("display.glass_length"), _mm("display.glass_width")
    low = sizes.front_low - 0.1 - _mm("display.glass")
    y = sizes.display_y
    return box(
        (-length / 2, y - width / 2, low), (length / 2, y + width / 2, low + _mm("display.glass"))
    )


def _light(sizes: Sizes) -> Manifold:
    length, width = _mm("light.length"), _mm("light.width")
    x, y = sizes.well_x, sizes.well_y
    top = sizes.sensor_top - _mm("light.sensor")
    board = box(
        (x - length / 2, y - width / 2, top - _mm("light.board")),
        (x + length / 2, y + width / 2, top),
    )
    half = _mm("light.sensor_length") / 2, _mm("light.sensor_width") / 2
    return board + box(
        (x - half[0], y - half[1], top), (x + half[0], y + half[1], sizes.sensor_top)
    )


def _pad(sizes: Sizes) -> Manifold:
    length, width = _mm("pad.length") / 2, _mm("pad.width") / 2
    x, y = sizes.pad_x, sizes.pad_y
    top = sizes.thick - sizes.pad_deep - sizes.pad_plastic - 0.1
    low = top - _mm("pad.board")
    board = box((x - length, y - width, low), (x + length, y + width, top))
    return board + box((x - 5, y - 3, low - _mm("pad.behind")), (x + 5, y + 3, low))


def _receiver(sizes: Sizes) -> Manifold:
    """The receiver lies on its side: its legs go to the left."""
    high, half = _mm("receiver.high"), _mm("receiver.length") / 2
    far = sizes.long - sizes.wall - sizes.gap
    x = sizes.receiver_x
    body = box(
        (x - high / 2, far - _mm("receiver.deep") + 1.2, sizes.eyes_z - half),
        (x + high / 2, far - 1.2, sizes.eyes_z + half),
    )
    return body + along_y(x, sizes.eyes_z, far - 2, far, 4.4)


def _sender(sizes: Sizes) -> Manifold:
    far = sizes.long - 0.4 - sizes.sender_back
    long, flange = _mm("sender.long"), _mm("sender.flange")
    x, z = sizes.eyes_x, sizes.eyes_z
    body = along_y(x, z, far - long, far - 2.5, _mm("sender.body"))
    dome = Manifold.sphere(_mm("sender.body") / 2, 48).translate([x, far - 2.5, z])
    return body + dome + along_y(x, z, far - long, far - long + 1, flange)


def _piezo(sizes: Sizes) -> Manifold:
    x, y = piezo_place(sizes)
    return rod(
        x, y, sizes.front_low - sizes.fit - _mm("piezo.high"), sizes.front_low - sizes.fit,
        _mm("piezo.across"),
    )  # fmt: skip


def piezo_place(sizes: Sizes) -> tuple[float, float]:
    """Return the middle of the piezo, x and y."""
    return (sizes.well_x + sizes.pad_x) / 2, sizes.well_y - 9.5


def _charger(sizes: Sizes) -> Manifold:
    half, near = _mm("charger.length") / 2, sizes.wall + 1.0
    low = sizes.floor + sizes.charger_lift
    top = low + _mm("charger.board")
    board = box((-half, near, low), (half, near + _mm("charger.width"), top))
    socket = charger_socket()
    usb = box((socket - 4, near - 0.8, top), (socket + 4, near + 5, top + 2.7))
    coil = box((-6, near + 9, top), (2, near + 17, top + 4))
    plug = box((8, near + 12, top), (16, near + 20, top + _mm("charger.parts_high")))
    return joined([board, usb, coil, plug])


def charger_socket() -> float:
    """Return x of the charger's socket."""
    return _mm("charger.usb_x") - _mm("charger.length") / 2


def _cell(sizes: Sizes) -> Manifold:
    half, width = _mm("cell.length") / 2, _mm("cell.width")
    far = sizes.pi_near - sizes.gap
    return box((-half, far - width, sizes.floor + sizes.cell_lift), (half, far, sizes.cell_top))


SWITCH_Y: Final = 19.0
"""The middle of the switch, and of the holes for the lanyard at the other side."""


def switch_z(sizes: Sizes) -> float:
    """Return the height of the switch's lever."""
    return sizes.split + 4.2


def _switch(sizes: Sizes) -> Manifold:
    inside = -half_width(sizes, SWITCH_Y) + sizes.wall + 0.9
    long, wide, high = (_mm(f"switch.{name}") for name in ("length", "width", "high"))
    z = switch_z(sizes)
    body = box(
        (inside, SWITCH_Y - long / 2, z - wide / 2),
        (inside + high, SWITCH_Y + long / 2, z + wide / 2),
    )
    lever = box((inside - _mm("switch.lever"), SWITCH_Y, z - 0.9), (inside, SWITCH_Y + 2, z + 0.9))
    return body + lever


def _pane(sizes: Sizes) -> Manifold:
    shape = rounded(sizes.window_wide, sizes.window_long, 2.5)
    return slab(
        shrunk(shape, sizes.fit).translate([0, sizes.picture_y]),
        sizes.thick - _mm("pane.thick"),
        sizes.thick,
    )


def screw_places(sizes: Sizes) -> list[tuple[float, float]]:
    """Return the middles of the four screws: two through the Pi's far holes, two at the near edge.

    Those at the near edge lie where the corner leaves most room.
    """
    near = sizes.near_corner * 0.45 + sizes.wall + 0.6
    x = half_width(sizes, near) - sizes.wall - 4.0
    return [*pi_holes(sizes)[:2], (-x, near), (x, near)]


def _screw(sizes: Sizes, x: float, y: float) -> Manifold:
    seat, tip = sizes.screw_seat, sizes.screw_seat + sizes.screw
    head = rod(x, y, seat - _mm("screw.head_high"), seat, _mm("screw.head"))
    shank = rod(x, y, seat, sizes.split, _mm("screw.thread"))
    return head + shank + rod(x, y, sizes.split, tip, _mm("screw.core") - 0.1)


def _rooms(sizes: Sizes) -> Iterator[Body]:
    wide, high = _mm("plug.wide"), _mm("plug.high")
    z = sizes.pi_top + _mm("pi.usb_high") / 2
    reach = sizes.long + 20 - sizes.pi_far - 1.1
    plug = Manifold.extrude(rounded(wide, high, 1.4), reach).rotate([90, 0, 0])
    for name in ("usb", "power"):
        x = pi_x(_mm(f"pi.{name}_x"))
        room = plug.translate([x, sizes.long + 20, z])
        yield Body(f"plug {name}", room, RED, "room")
    x, z = charger_socket(), sizes.floor + sizes.charger_lift + _mm("charger.board") + 1.35
    room = plug.translate([x, sizes.wall, z])
    yield Body("plug charger", room, RED, "room")
    y = sizes.pi_far - _mm("pi.card_y")
    end = _mm("pi.length") / 2 + _mm("pi.card_out")
    finger = box((end + 0.3, y - 5, sizes.pi_top - 1.2), (end + 15, y + 5, sizes.pi_top + 2.6))
    yield Body("finger at card", finger, RED, "room")
    yield Body("cone sender", _cone(sizes, sizes.eyes_x, "sender_cone_deg", 5.0), RED, "room")
    yield Body(
        "cone receiver", _cone(sizes, sizes.receiver_x, "receiver_cone_deg", 3.0), RED, "room"
    )
    metal = bought().limit("antenna_metal_mm")
    x = pi_x(_mm("pi.antenna_x"))
    far = sizes.pi_far
    antenna = box((x - metal, far - 4, sizes.pi_top), (x + metal, far + 12, sizes.pi_top + metal))
    yield Body("antenna", antenna, RED, "metal room")


def _cone(sizes: Sizes, x: float, limit: str, across: float) -> Manifold:
    """The cone that starts at the front of an eye, so wide there."""
    start = sizes.long - (0.4 if across > 4 else sizes.wall)
    if across > 4:
        start -= sizes.sender_back
    end = sizes.long + CONE_MM
    wide = across + 2 * (end - start) * tan(radians(bought().limit(limit)))
    return along_y(x, sizes.eyes_z, start, end, across, wide)
