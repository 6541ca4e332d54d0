"""The bodies in the case: every bought part, and where it is screwed on.

Numbers are chosen: colours, and what no sheet of a part has.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
from manifold3d import CrossSection, Manifold

from hardware.case.sizes import Sizes
from hardware.case.solids import box, joined, rod, rounded, slab, tapered
from hardware.parts import bought

Kind = Literal["part", "room", "metal room", "wire", "joint", "cell"]
RGB = tuple[int, int, int]
Spot = tuple[float, float]
"""A place seen from above, x and y in mm."""
Place = tuple[float, float, float]


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``bodies.toml``, which says what each of them holds."""

    hanging: tuple[str, ...]
    touching: tuple[frozenset[str], ...]
    on_springs: tuple[tuple[str, str], ...]
    fits: tuple[tuple[str, Place, Place], ...]
    together: dict[str, str]
    screwed: dict[str, tuple[str, str]]
    wires: dict[str, tuple[str, RGB]]


_TOML: Final = Path(__file__).with_name("bodies.toml")
TOLD: Final = msgspec.convert(tomllib.loads(_TOML.read_text("utf-8")), _Told)
GREEN: Final = (38, 92, 58)
BLUE: Final = (36, 52, 120)
DARK: Final = (34, 34, 38)
STEEL: Final = (176, 180, 186)
RED: Final = (168, 40, 36)
GLASS: Final = (16, 18, 26)


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


class Case(NamedTuple):
    """A case with everything in it."""

    sizes: Sizes
    printed: list[Body]
    inside: list[Body]

    def solid(self, name: str) -> Manifold:
        """Return the body of this name; `KeyError` if there is none."""
        for body in (*self.printed, *self.inside):
            if body.name == name:
                return body.solid
        raise KeyError(name)


def half_width(sizes: Sizes, y: float) -> float:
    """Return the distance from the middle to the outside of the case at ``y``, without z."""
    cut = outline_of(sizes) ^ rounded(2 * sizes.far, 0.2, 0.05).translate([0, y])
    return float(cut.bounds()[2])


def outline_of(sizes: Sizes) -> CrossSection:
    """Return the outline of the case, seen from above, as a cross section."""
    corners = (sizes.near_corner, sizes.far_corner)
    return tapered(sizes.near, sizes.far, sizes.long, corners, sizes.bulge)


def mm(name: str) -> float:
    """Return a dimension in mm, such as ``pi.length``; `KeyError` if there is none."""
    part, _, dimension = name.partition(".")
    return bought().mm(part, dimension)


def bodies(sizes: Sizes) -> Iterator[Body]:
    """Yield every bought part, in place."""
    yield Body("pi", _pi(sizes), GREEN, floor=2)
    yield Body("sockets", _sockets(sizes), STEEL, metal=True, floor=2)
    yield Body("card", _card(sizes), DARK, floor=2)
    yield Body("shim", _shim(sizes), RED, metal=True, floor=3)
    yield Body("accelerometer", _accelerometer(sizes), BLUE, floor=2)
    yield Body("display", _display(sizes), BLUE, metal=True, floor=6)
    yield Body("glass", _glass(sizes), GLASS, floor=6)
    yield Body("light", _light(sizes), BLUE, floor=6)
    yield Body("pad", _pad(sizes), RED, floor=6)
    yield Body("piezo", _piezo(sizes), DARK, metal=True, floor=6)
    for number, (x, y) in enumerate(screw_places(sizes)):
        yield Body(f"screw {number + 1}", _screw(sizes, x, y), STEEL, metal=True, floor=-2)
    for name, spots, head, is_up in board_screws(sizes):
        solid = joined(_board_screw(sizes, x, y, head, is_up) for x, y in spots)
        yield Body(f"screws {name}", solid, STEEL, metal=True, floor=5 if is_up else 3)


def _pi(sizes: Sizes) -> Manifold:
    length, width = mm("pi.length"), mm("pi.along")
    middle = sizes.pi_far - width / 2
    top = sizes.pi_top
    board = slab(
        rounded(length, width, mm("pi.corner")).translate([0, middle]), sizes.pi_low, top
    ) - joined(rod(x, y, sizes.pi_low - 1, top + 1, mm("pi.hole")) for x, y in pi_holes(sizes))
    pins = [
        box((x - 0.32, y - 0.32, sizes.pi_low - 1.2),
            (x + 0.32, y + 0.32, sizes.pi_low + mm("pi.header_end")))
        for x, y in (pin_place(sizes, number) for number in range(1, 41))
    ]  # fmt: skip
    y = sizes.header_y
    plastic = box((-25.4, y - 2.54, top), (25.4, y + 2.54, sizes.header_top))
    chip = box((-9, middle - 4, top), (6, middle + 9, top + 1.3))
    return joined([board, plastic, chip, *pins])


def pin_place(sizes: Sizes, number: int) -> Spot:
    """Return the place of a pin of the header: 1 is at the card, in the row farther from the edge.

    The Pi lies turned by half a turn: its sockets look to the far edge, its card to the right.
    """
    column, is_even = (number - 1) // 2, number % 2 == 0
    return (9.5 - column) * 2.54, sizes.header_y + (-1.27 if is_even else 1.27)


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
    """Return x of something that lies so far from the Pi's left end in its maker's drawing."""
    return mm("pi.length") / 2 - from_left


def pi_holes(sizes: Sizes) -> list[Spot]:
    """Return the middles of the Pi's holes, the two at the far edge first."""
    inset = mm("pi.hole_inset")
    x, far, near = mm("pi.length") / 2 - inset, sizes.pi_far - inset, sizes.pi_near + inset
    return [(-x, far), (x, far), (-x, near), (x, near)]


def _card(sizes: Sizes) -> Manifold:
    y, wide = sizes.pi_far - mm("pi.card_y"), mm("pi.card_wide")
    end = mm("pi.length") / 2
    return box(
        (end - mm("pi.card_deep"), y - wide / 2, sizes.pi_top),
        (end + mm("pi.card_out"), y + wide / 2, sizes.pi_top + mm("pi.card_high")),
    )


def _shim(sizes: Sizes) -> Manifold:
    """The SHIM sits on pins 1 to 6 and lies over the Pi; its socket opens to the right."""
    right, near, low = (
        pin_place(sizes, 3)[0] + mm("shim.pins_x"),
        _shim_near(sizes),
        sizes.header_top,
    )
    far, top = near + mm("shim.width"), low + mm("shim.board")
    around, step = right - 2 * mm("shim.pins_x"), near + mm("shim.step")
    board = box((around, near, low), (right, far, top)) + box(
        (right - mm("shim.length"), step, low), (right, far, top)
    )
    pins = joined(
        box((px - 0.4, py - 0.4, low - 1), (px + 0.4, py + 0.4, low + 9))
        for px, py in (pin_place(sizes, number) for number in range(1, 7))
    )
    x, y, high = shim_socket(sizes)
    return board - pins + box((x - 2.1, y - 3, top), (x + 2.1, y + 3, high))


def _shim_near(sizes: Sizes) -> float:
    """The near edge of the SHIM, which is beside the row of even pins."""
    return sizes.header_y - mm("shim.width") + mm("shim.pins_y")


def shim_socket(sizes: Sizes) -> tuple[float, float, float]:
    """Return the middle of the SHIM's socket, and its upper side."""
    x = pin_place(sizes, 3)[0] + mm("shim.pins_x") - mm("shim.socket_x")
    y = _shim_near(sizes) + mm("shim.width") - mm("shim.socket_y")
    return x, y, sizes.header_top + mm("shim.board") + mm("qt.high")


# ---- boards with four holes --------------------------------------------------------------------


def qt_spots(part: str, x: float, y: float) -> list[Spot]:
    """Return the middles of the four holes of a board whose middle is at x and y."""
    inset = mm("qt.hole_inset")
    dx, dy = mm(f"{part}.length") / 2 - inset, mm(f"{part}.width") / 2 - inset
    return [(x + a * dx, y + b * dy) for a in (-1, 1) for b in (-1, 1)]


def _qt_board(part: str, x: float, y: float, low: float, is_up: bool) -> Manifold:
    """A board with its holes and its two sockets; ``is_up``: these stand on its upper side."""
    dx, dy = mm(f"{part}.length") / 2, mm(f"{part}.width") / 2
    top, high = low + mm("qt.board"), mm("qt.high")
    z = (top, top + high) if is_up else (low - high, low)
    deep, wide = mm("qt.deep"), mm("qt.wide") / 2
    sockets = [
        box((x + min(a * dx, a * (dx - deep)), y - wide, z[0]),
            (x + max(a * dx, a * (dx - deep)), y + wide, z[1]))
        for a in (-1, 1)
    ]  # fmt: skip
    holes = [rod(hx, hy, low - 1, top + 1, mm("qt.hole")) for hx, hy in qt_spots(part, x, y)]
    return joined([box((x - dx, y - dy, low), (x + dx, y + dy, top)), *sockets]) - joined(holes)


def _accelerometer(sizes: Sizes) -> Manifold:
    y, top = sizes.accelerometer_y, sizes.pi_low + mm("qt.board")
    chip_y = y + mm("qt_accelerometer.chip_y") - mm("qt_accelerometer.width") / 2
    chip = box((-2.5, chip_y - 1.5, top), (2.5, chip_y + 1.5, top + 1))
    return _qt_board("qt_accelerometer", 0, y, sizes.pi_low, True) + chip


def _display(sizes: Sizes) -> Manifold:
    low = sizes.plate_low - sizes.display_post - mm("qt.board")
    return _qt_board("qt_display", 0, sizes.display_y, low, False)


def _glass(sizes: Sizes) -> Manifold:
    length, low = mm("qt_display.glass_length") / 2, sizes.plate_low - sizes.display_post
    near = sizes.display_y - mm("qt_display.width") / 2 + mm("qt_display.glass_low")
    return box(
        (-length, near, low),
        (length, near + mm("qt_display.glass_width"), low + mm("qt_display.glass")),
    )


def _light(sizes: Sizes) -> Manifold:
    """The sensor is in the middle of its board and looks up; regulator and LED are beside it."""
    x, y, top = sizes.light_x, sizes.light_y, sizes.light_top
    half = mm("qt_light.sensor_length") / 2, mm("qt_light.sensor_width") / 2
    sensor = box((x - half[0], y - half[1], top), (x + half[0], y + half[1], sizes.sensor_top))
    chip = box((x - 5.4, y - 1.6, top), (x - 3.8, y + 1.3, top + mm("qt_light.parts_high")))
    led_x, led_y, _ = light_led(sizes)
    led = box((led_x - 0.4, led_y - 0.8, top), (led_x + 0.4, led_y + 0.8, top + 0.6))
    return _qt_board("qt_light", x, y, top - mm("qt.board"), True) + sensor + chip + led


def light_led(sizes: Sizes) -> Place:
    """Return the place of the green LED on the light sensor's board."""
    x = sizes.light_x - mm("qt_light.length") / 2 + mm("qt_light.led_x")
    return x, sizes.light_y - mm("qt_light.width") / 2 + mm("qt_light.led_y"), sizes.light_top


def pad_low(sizes: Sizes) -> float:
    """Return the underside of the touch pad's board, whose plain side lies in a recess."""
    return sizes.thick - sizes.pad_plastic - 0.1 - mm("pad.board")


def _pad(sizes: Sizes) -> Manifold:
    length, width = mm("pad.width") / 2, mm("pad.length") / 2
    x, y, low = sizes.pad_x, sizes.pad_y, pad_low(sizes)
    board = box((x - length, y - width, low), (x + length, y + width, low + mm("pad.board")))
    return board + box((x - 3, y - 5, low - mm("pad.behind")), (x + 3, y + 5, low))


BUMP_MM: Final = 0.5
"""Height of solder on the plain side of the touch pad."""


def pad_joints(sizes: Sizes) -> list[Place]:
    """Return VCC, Q and GND of the touch pad on the underside of its board."""
    y = sizes.pad_y + mm("pad.length") / 2 - 1.3
    return [(sizes.pad_x + 2.54 * n, y, pad_low(sizes)) for n in (1, 0, -1)]


def _piezo(sizes: Sizes) -> Manifold:
    top = sizes.plate_low - 0.05
    return rod(0, sizes.piezo_y, top - mm("piezo.high"), top, mm("piezo.across"))


# ---- screws --------------------------------------------------------------------------------------


def screw_places(sizes: Sizes) -> list[Spot]:
    """Return the middles of the four screws: two through the Pi's far holes, two at the near edge.

    Those at the near edge lie where the corner leaves most room.
    """
    near = sizes.near_corner * 0.45 + sizes.wall + 0.6
    x = half_width(sizes, near) - sizes.wall - 4.0
    return [*pi_holes(sizes)[:2], (-x, near), (x, near)]


def _screw(sizes: Sizes, x: float, y: float) -> Manifold:
    seat, tip = sizes.screw_seat, sizes.screw_seat + sizes.screw
    head = rod(x, y, seat - mm("screw.head_high"), seat, mm("screw.head"))
    shank = rod(x, y, seat, sizes.split, mm("screw.thread"))
    return head + shank + rod(x, y, sizes.split, tip, mm("screw.core") - 0.1)


def bar_spots(x: float, y: float) -> list[Spot]:
    """Return the middles of the two holes of a bar over x and y."""
    return [(x - 10.2, y), (x + 10.2, y)]


def bar_lows(sizes: Sizes) -> dict[str, tuple[float, float, float]]:
    """Return x, y and the underside of each bar: that of the pad and that of the piezo."""
    pad_z = pad_low(sizes) - sizes.pad_bar - BAR_MM
    piezo_z = sizes.plate_low - sizes.piezo_post - BAR_MM
    return {"pad": (sizes.pad_x, sizes.pad_y, pad_z), "piezo": (0.0, sizes.piezo_y, piezo_z)}


BAR_MM: Final = 2.0
"""Thickness of the bar that holds a part without holes."""


CARRIER_MM: Final = 1.6
"""Thickness of the carrier of infrared."""


def carrier_spots(sizes: Sizes) -> list[Spot]:
    """Return the middles of the two holes for the screws of the carrier."""
    return [(-22.6, sizes.long - 8.6), (22.6, sizes.long - 7.0)]


def board_screws(sizes: Sizes) -> Iterator[tuple[str, list[Spot], float, bool]]:
    """Yield what screws hold, their places, the height under their heads, and if tips look up."""
    yield "accelerometer", qt_spots("qt_accelerometer", 0, sizes.accelerometer_y), (
        sizes.pi_low + mm("qt.board")
    ), False  # fmt: skip
    low = sizes.plate_low - mm("qt.board")
    yield "display", qt_spots("qt_display", 0, sizes.display_y), low - sizes.display_post, True
    yield "light", qt_spots("qt_light", sizes.light_x, sizes.light_y), low - sizes.light_post, True
    for name, (x, y, z) in bar_lows(sizes).items():
        yield f"bar {name}", bar_spots(x, y), z, True
    yield (
        "carrier",
        carrier_spots(sizes),
        low + mm("qt.board") - sizes.carrier_post - CARRIER_MM,
        True,
    )


def _board_screw(sizes: Sizes, x: float, y: float, under: float, is_up: bool) -> Manifold:
    """A screw whose head lies against ``under``."""
    way = 1 if is_up else -1
    high, across = mm("screw.head_high"), mm("screw.head")
    long, hole = sizes.board_screw, mm("screw.core") - 0.1
    head = rod(x, y, min(under, under - way * high), max(under, under - way * high), across)
    return head + rod(x, y, min(under, under + way * long), max(under, under + way * long), hole)
