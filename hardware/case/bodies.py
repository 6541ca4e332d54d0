"""The bodies in the case: every bought part, and the room that must stay free."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from manifold3d import Manifold

from hardware.board.plan import holes_of, plans
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


def mm(name: str) -> float:
    """Return a dimension in mm, such as ``pi.length``; `KeyError` if there is none."""
    part, _, dimension = name.partition(".")
    return bought().mm(part, dimension)


def bodies(sizes: Sizes) -> Iterator[Body]:
    """Yield every bought part but a computer and its supply, in place."""
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
    yield Body("pane", _pane(sizes), GLASS, floor=10)
    for number, (x, y) in enumerate(screw_places(sizes)):
        yield Body(f"screw {number + 1}", _screw(sizes, x, y), STEEL, metal=True, floor=-2)


def pi_with_cell(sizes: Sizes) -> Iterator[Body]:
    """Yield a Zero 2 W with its card, and its supply, in place."""
    yield Body("pi", _pi(sizes), GREEN, metal=False, floor=2)
    yield Body("sockets", _sockets(sizes), STEEL, metal=True, floor=2)
    yield Body("card", _card(sizes), DARK, floor=2)
    yield Body("charger", _charger(sizes), BLUE, metal=True, floor=2)
    yield Body("cell", _cell(sizes), CELL, metal=True, floor=3)
    yield Body("switch", _switch(sizes), STEEL, metal=True, floor=5)


def _pi(sizes: Sizes) -> Manifold:
    length, width = mm("pi.length"), mm("pi.along")
    middle = sizes.pi_far - width / 2
    top = sizes.pi_top
    board = slab(
        rounded(length, width, mm("pi.corner")).translate([0, middle]), sizes.pi_low, top
    ) - joined(rod(x, y, sizes.pi_low - 1, top + 1, mm("pi.hole")) for x, y in pi_holes(sizes))
    y = sizes.header_y
    pins = [
        box(
            (x - 0.32, y + side * 1.27 - 0.32, sizes.pi_low - 1.2),
            (x + 0.32, y + side * 1.27 + 0.32, sizes.pi_low + mm("pi.header_end")),
        )
        for n in range(20)
        for side in (-1, 1)
        for x in [(n - 9.5) * 2.54]
    ]
    plastic = box((-25.4, y - 2.54, top), (25.4, y + 2.54, top + mm("pi.header_plastic")))
    chip = box((-9, middle - 4, top), (6, middle + 9, top + 1.3))
    return joined([board, plastic, chip, *pins])


def _sockets(sizes: Sizes) -> Manifold:
    top = sizes.pi_top
    plugs = [("hdmi", "hdmi"), ("usb", "usb"), ("power", "usb")]
    return joined(
        box(
            (pi_x(mm(f"pi.{at}_x")) - mm(f"pi.{size}_wide") / 2,
             sizes.pi_far + mm("pi.plug_out") - mm(f"pi.{size}_deep"), top),
            (pi_x(mm(f"pi.{at}_x")) + mm(f"pi.{size}_wide") / 2,
             sizes.pi_far + mm("pi.plug_out"), top + mm(f"pi.{size}_high")),
        )
        for at, size in plugs
    )  # fmt: skip


def pi_x(from_left: float) -> float:
    """Return x of something that lies so far from the Pi's left end in its maker's drawing.

    The Pi lies turned by half a turn: its sockets look to the far edge, its card to the right.
    """
    return mm("pi.length") / 2 - from_left


def pi_holes(sizes: Sizes) -> list[tuple[float, float]]:
    """Return the middles of the Pi's holes, the two at the far edge first."""
    inset = mm("pi.hole_inset")
    x, far, near = mm("pi.length") / 2 - inset, sizes.pi_far - inset, sizes.pi_near + inset
    if sizes.is_large:
        x, near = mm("large_pi.width") / 2 - inset, far - mm("large_pi.holes")
    return [(-x, far), (x, far), (-x, near), (x, near)]


def _card(sizes: Sizes) -> Manifold:
    y, wide = sizes.pi_far - mm("pi.card_y"), mm("pi.card_wide")
    end = mm("pi.length") / 2
    return box(
        (end - mm("pi.card_deep"), y - wide / 2, sizes.pi_top),
        (end + mm("pi.card_out"), y + wide / 2, sizes.pi_top + mm("pi.card_high")),
    )


def carrier_span(sizes: Sizes) -> tuple[float, float, float]:
    """Return half the width of the carrier board, its near edge and its far edge."""
    pitch, far = mm("carrier.pitch"), sizes.carrier_far
    return 12 * pitch, far - 12 * pitch, far


def _carrier(sizes: Sizes) -> Manifold:
    half, near, far = carrier_span(sizes)
    low = sizes.carrier_low
    board = box((-half, near, low), (half, far, low + mm("carrier.board")))
    if sizes.is_large:
        return board
    pins = box(
        (-25.2, sizes.header_y - 1.7, low - 1), (25.2, sizes.header_y + 1.7, low + 3)
    )  # the pins of the header stand in the holes
    return board - pins


def hole_place(sizes: Sizes, hole: str) -> tuple[float, float]:
    """Return x and y of a hole of the carrier board, such as ``A1`` at the far left."""
    half, _, far = carrier_span(sizes)
    x, y = holes_of("perfboard")[hole]
    pitch = mm("carrier.pitch")
    return x - half + pitch / 2, far - pitch / 2 - y


def _soldered(part: str) -> dict[str, str]:
    """The holes of a part on the carrier."""
    return plans()["carrier-straight-bc337"].holes[part]


def _accelerometer(sizes: Sizes) -> Manifold:
    """The module lies flat at the left of the carrier, its pins at the near edge."""
    low = sizes.carrier_low + mm("carrier.board")
    places = [hole_place(sizes, hole) for hole in _soldered("ADXL345").values()]
    x, y = (sum(one) / len(places) for one in zip(*places, strict=True))
    left, near = x - mm("accelerometer.length") / 2, y - 1.3
    top = low + mm("accelerometer.board")
    board = box(
        (left, near, low),
        (left + mm("accelerometer.length"), near + mm("accelerometer.width"), top),
    )
    return board + box((x - 1.5, y + 5, low + 1), (x + 1.5, y + 10, top + mm("accelerometer.chip")))


def _small_parts(sizes: Sizes) -> Manifold:
    """Resistors, transistor and capacitor lie flat on the carrier, where its plan has them."""
    low = sizes.carrier_low + mm("carrier.board")
    found = []
    for part in ("R1", "R2", "R3", "R4", "R5", "R6", "C1", "Q1"):
        places = [hole_place(sizes, hole) for hole in _soldered(part).values()]
        x, y = ((min(one) + max(one)) / 2 for one in zip(*places, strict=True))
        upright = places[0][0] == places[1][0]
        if part == "Q1":
            high = mm("transistor.high")
            found.append(box((x - high, y - 2.6, low), (x, y + 2.6, low + 4)))
        elif part == "C1":
            found.append(along_y(x, low + 2.1, y, y + 6, 4.0))
        else:
            across, half = (3.2, 4.6) if part == "R1" else (2.4, 3.2)
            z = low + across / 2 + 0.1
            found.append(
                along_y(x, z, y - half, y + half, across)
                if upright
                else along_x(y, z, x - half, x + half, across)
            )
    return joined(found)


def _display(sizes: Sizes) -> Manifold:
    length, width = mm("display.length"), mm("display.width")
    top = sizes.front_low - 0.1 - mm("display.glass")
    low = top - mm("display.board")
    y = sizes.display_y
    board = box((-length / 2, y - width / 2, low), (length / 2, y + width / 2, top))
    behind = box((-9, y - 8, low - mm("display.behind")), (9, y + 8, low))
    dx, dy = mm("display.hole_x") / 2, mm("display.hole_y") / 2
    holes = [
        rod(a * dx, y + b * dy, low - 1, top + 1, mm("display.hole"))
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    return board + behind - joined(holes)


def _glass(sizes: Sizes) -> Manifold:
    length, width = mm("display.glass_length"), mm("display.glass_width")
    low = sizes.front_low - 0.1 - mm("display.glass")
    y = sizes.display_y
    return box(
        (-length / 2, y - width / 2, low), (length / 2, y + width / 2, low + mm("display.glass"))
    )


def _light(sizes: Sizes) -> Manifold:
    length, width = mm("light.length"), mm("light.width")
    x, y = sizes.well_x, sizes.well_y
    top = sizes.sensor_top - mm("light.sensor")
    board = box(
        (x - length / 2, y - width / 2, top - mm("light.board")),
        (x + length / 2, y + width / 2, top),
    )
    half = mm("light.sensor_length") / 2, mm("light.sensor_width") / 2
    return board + box(
        (x - half[0], y - half[1], top), (x + half[0], y + half[1], sizes.sensor_top)
    )


def _pad(sizes: Sizes) -> Manifold:
    length, width = mm("pad.length") / 2, mm("pad.width") / 2
    x, y = sizes.pad_x, sizes.pad_y
    top = sizes.thick - sizes.pad_deep - sizes.pad_plastic - 0.1
    low = top - mm("pad.board")
    board = box((x - length, y - width, low), (x + length, y + width, top))
    return board + box((x - 5, y - 3, low - mm("pad.behind")), (x + 5, y + 3, low))


def _receiver(sizes: Sizes) -> Manifold:
    """The receiver lies on its side: its legs go to the left."""
    high, half = mm("receiver.high"), mm("receiver.length") / 2
    far = sizes.long - sizes.wall - sizes.gap
    x = sizes.receiver_x
    body = box(
        (x - high / 2, far - mm("receiver.deep") + 1.2, sizes.eyes_z - half),
        (x + high / 2, far - 1.2, sizes.eyes_z + half),
    )
    return body + along_y(x, sizes.eyes_z, far - 2, far, 4.4)


def _sender(sizes: Sizes) -> Manifold:
    far = sizes.long - 0.4 - sizes.sender_back
    long, flange = mm("sender.long"), mm("sender.flange")
    x, z = sizes.eyes_x, sizes.eyes_z
    body = along_y(x, z, far - long, far - 2.5, mm("sender.body"))
    dome = Manifold.sphere(mm("sender.body") / 2, 48).translate([x, far - 2.5, z])
    return body + dome + along_y(x, z, far - long, far - long + 1, flange)


def _piezo(sizes: Sizes) -> Manifold:
    x, y = piezo_place(sizes)
    return rod(
        x, y, sizes.front_low - sizes.fit - mm("piezo.high"), sizes.front_low - sizes.fit,
        mm("piezo.across"),
    )  # fmt: skip


def piezo_place(sizes: Sizes) -> tuple[float, float]:
    """Return the middle of the piezo, x and y."""
    return (sizes.well_x + sizes.pad_x) / 2, sizes.well_y - 9.5


def _charger(sizes: Sizes) -> Manifold:
    half, near = mm("charger.length") / 2, sizes.wall + 1.0
    low = sizes.floor + sizes.charger_lift
    top = low + mm("charger.board")
    board = box((-half, near, low), (half, near + mm("charger.width"), top))
    socket = charger_socket()
    usb = box((socket - 4, near - 0.8, top), (socket + 4, near + 5, top + 2.7))
    coil = box((-6, near + 9, top), (2, near + 17, top + 4))
    plug = box((8, near + 12, top), (16, near + 20, top + mm("charger.parts_high")))
    return joined([board, usb, coil, plug])


def charger_socket() -> float:
    """Return x of the charger's socket."""
    return mm("charger.usb_x") - mm("charger.length") / 2


def _cell(sizes: Sizes) -> Manifold:
    half, width = mm("cell.length") / 2, mm("cell.width")
    far = sizes.pi_near - sizes.gap
    return box((-half, far - width, sizes.floor + sizes.cell_lift), (half, far, sizes.cell_top))


SWITCH_Y: Final = 19.0
"""The middle of the switch, and of the holes for the lanyard at the other side."""


def switch_z(sizes: Sizes) -> float:
    """Return the height of the switch's lever."""
    return sizes.split + 4.2


def _switch(sizes: Sizes) -> Manifold:
    inside = -half_width(sizes, SWITCH_Y) + sizes.wall + 0.9
    long, wide, high = (mm(f"switch.{name}") for name in ("length", "width", "high"))
    z = switch_z(sizes)
    body = box(
        (inside, SWITCH_Y - long / 2, z - wide / 2),
        (inside + high, SWITCH_Y + long / 2, z + wide / 2),
    )
    lever = box((inside - mm("switch.lever"), SWITCH_Y, z - 0.9), (inside, SWITCH_Y + 2, z + 0.9))
    return body + lever


def _pane(sizes: Sizes) -> Manifold:
    shape = rounded(sizes.window_wide, sizes.window_long, 2.5)
    return slab(
        shrunk(shape, sizes.fit).translate([0, sizes.picture_y]),
        sizes.thick - mm("pane.thick"),
        sizes.thick,
    )


def screw_places(sizes: Sizes) -> list[tuple[float, float]]:
    """Return the middles of the four screws: two through the Pi's far holes, two at the near edge.

    Those at the near edge lie where the corner leaves most room. A large Pi has a screw in each
    hole.
    """
    if sizes.is_large:
        return pi_holes(sizes)
    near = sizes.near_corner * 0.45 + sizes.wall + 0.6
    x = half_width(sizes, near) - sizes.wall - 4.0
    return [*pi_holes(sizes)[:2], (-x, near), (x, near)]


def _screw(sizes: Sizes, x: float, y: float) -> Manifold:
    seat, tip = sizes.screw_seat, sizes.screw_seat + sizes.screw
    head = rod(x, y, seat - mm("screw.head_high"), seat, mm("screw.head"))
    shank = rod(x, y, seat, sizes.split, mm("screw.thread"))
    return head + shank + rod(x, y, sizes.split, tip, mm("screw.core") - 0.1)
