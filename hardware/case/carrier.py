"""The printed carrier of infrared: its parts, their legs, and what joins these below it.

Each part stands as in KiCad's footprint of its package. Legs go through holes of the carrier and
are bent to one another on its underside. LED and receiver look through thin places of the far wall,
which a drill opens.

Numbers without a source are chosen.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import CARRIER_MM, DARK, STEEL, Body, Place, Spot, carrier_spots, mm
from hardware.case.sizes import Sizes
from hardware.case.solids import box, footed, joined, rod, rounded

LEGS: Final[Mapping[str, Spot]] = {
    "R4.1": (-22.82, 2.3), "R4.2": (-15.2, 2.3), "C1.+": (-16.3, 6.4), "C1.-": (-14.4, 8.1),
    "TSOP38238.OUT": (-8.06, 4.3), "TSOP38238.GND": (-10.6, 4.3), "TSOP38238.VS": (-13.14, 4.3),
    "D1.A": (18.77, 11.1), "D1.K": (16.23, 11.1), "R1.1": (33.6, 10.2), "R1.2": (20.9, 10.2),
    "Q1.C": (15.7, 12.8), "Q1.B": (15.7, 15.34), "Q1.E": (15.7, 17.88),
    "R2.1": (26.02, 13.7), "R2.2": (18.4, 13.7), "R3.1": (26.02, 17.9), "R3.2": (18.4, 17.9),
}  # fmt: skip
"""By leg of the netlist: x of its hole, and its way from the far wall, in mm."""
LINKS: Final[Mapping[str, tuple[str, ...]]] = {
    "receiver": ("R4.2 TSOP38238.VS C1.+", "C1.- TSOP38238.GND", "TSOP38238.OUT", "R4.1"),
    "sender": ("R1.2 D1.A", "D1.K Q1.C", "Q1.B R2.2 R3.1", "R3.2 Q1.E", "R1.1", "R2.1"),
}
"""By half of the carrier: the legs that are joined below it, one after the other."""
HOLE_MM, JOINT_MM, THIN_MM = 1.4, 1.8, 1.05
"""Across a hole for a leg, across a joint, and what is left of the far wall before both eyes."""
BEND_MM: Final = 2.0
"""From the LED's foot to where its legs bend down."""


def leg_places(sizes: Sizes) -> dict[str, Spot]:
    """Return the middle of the hole of each leg."""
    return {leg: (x, sizes.long - sizes.wall - y) for leg, (x, y) in LEGS.items()}


def carrier(sizes: Sizes) -> Manifold:
    """Return the plate, with a hole for each leg and two for screws."""
    far, high = sizes.long - sizes.wall, sizes.carrier_top
    low = high - CARRIER_MM
    corners = (
        (-25.3, -8.2, 25.1, -0.4), (-25.3, -9.9, -13.4, -8.1), (13.3, -19.65, 35.8, -8.1),
    )  # fmt: skip
    outline = sum(
        (CrossSection.square([d - a, e - b]).translate([a, far + b]) for a, b, d, e in corners),
        CrossSection(),
    )
    holes = [rod(x, y, low - 1, high + 1, HOLE_MM) for x, y in leg_places(sizes).values()]
    screw = mm("screw.thread") + 0.3
    return footed(outline, low, high) - joined(
        [*holes, *(rod(x, y, low - 1, high + 1, screw) for x, y in carrier_spots(sizes))]
    )


def on_carrier(sizes: Sizes) -> Iterator[Body]:
    """Yield the parts of receiver and sender, and the joints below them, net by net."""
    at, low = leg_places(sizes), sizes.carrier_top

    def resistor(name: str, part: str) -> Manifold:
        (x, y), (to_x, _) = sorted((at[f"{name}.1"], at[f"{name}.2"]))
        long, across = mm(f"{part}.long"), mm(f"{part}.across")
        solid = Manifold.cylinder(long, across / 2, -1, 32).rotate([0, 90, 0])
        return solid.translate([(x + to_x - long) / 2, y, low + across / 2])

    (x, y), half = at["TSOP38238.GND"], mm("receiver.wide") / 2
    receiver = box(
        (x - half, y - mm("receiver.back"), low),
        (x + half, y + mm("receiver.front"), low + mm("receiver.high")),
    )
    x, y = ((one + other) / 2 for one, other in zip(at["C1.+"], at["C1.-"], strict=True))
    can = rod(x, y, low, low + mm("c1.high"), mm("c1.across"))
    yield Body("receiver", joined([receiver, can, resistor("R4", "r4")]), DARK, floor=6)
    x, y, z = led_foot(sizes)
    flange = Manifold.cylinder(1, mm("sender.flange") / 2, -1, 48)
    led = flange + Manifold.cylinder(mm("sender.long"), mm("sender.across") / 2, -1, 48)
    bx, by = at["Q1.B"]
    half, side = mm("transistor.wide") / 2, mm("transistor.back")
    bottom = low + 2
    q1 = box((bx - side, by - half, bottom), (bx + side, by + half, bottom + mm("transistor.high")))
    sender = [led.rotate([-90, 0, 0]).translate([x, y, z]), q1, resistor("R1", "r1")]
    sender += [resistor("R2", "r1k"), resistor("R3", "r3")]
    yield Body("sender", joined(sender), DARK, floor=6)
    for name, nets in LINKS.items():
        for net in nets:
            yield Body(f"joint {net} {name} carrier", _link(sizes, net), STEEL, "joint", metal=True)


def _link(sizes: Sizes, net: str) -> Manifold:
    """The joints of a net, and the legs that are bent between them."""
    low = sizes.carrier_top - CARRIER_MM
    spots = [leg_places(sizes)[leg] for leg in net.split()]
    joints = [rod(x, y, low - 1, low, JOINT_MM) for x, y in spots]
    dots = [rod(x, y, low - 1, low - 0.4, 0.6) for x, y in spots]
    return joined([*joints, *(Manifold.batch_hull(pair) for pair in pairwise(dots))])


def led_foot(sizes: Sizes) -> Place:
    """Return the middle of the LED's foot: it lies on the carrier, and looks to the far edge."""
    (x, y), (other, _) = leg_places(sizes)["D1.A"], leg_places(sizes)["D1.K"]
    return (x + other) / 2, y + BEND_MM, sizes.carrier_top + mm("sender.flange") / 2 + 0.1


def eyes(sizes: Sizes) -> Manifold:
    """Return what is cut out of the far wall from inside, before LED and receiver."""
    x, _, z = led_foot(sizes)
    wide = mm("sender.across") + 1.4
    shapes = [(x, z, rounded(wide, wide, wide / 2 - 0.01))]
    wide, high = mm("receiver.wide") + 0.6, mm("receiver.high")
    x, _ = leg_places(sizes)["TSOP38238.GND"]
    shapes.append((x, sizes.carrier_top + high / 2, rounded(wide, high, 1.5)))
    end, deep = sizes.long - THIN_MM, sizes.wall
    return joined(
        Manifold.extrude(shape, deep).rotate([90, 0, 0]).translate([x, end, z])
        for x, z, shape in shapes
    )
