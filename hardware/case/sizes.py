"""Every free dimension of the case, in one value; what follows from them are its properties."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

from hardware.parts import bought

Colour = Literal["black", "grey", "white"]
Computer = Literal["pi", "large_pi"]
"""Parts of the list: a Zero 2 W with its cell, or a Pi 4 or 5 on a supply."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The values that a designer may change, in mm. Other dimensions are those of the bought parts.

    Attributes:
        near, far, long, thick: outer size; ``near`` and ``far`` are widths.
        near_corner, far_corner, bulge: radii of the outline, and how far its sides stand out.
        belly, brow: height and depth of the bevel at the bottom and of the rounding on top.
        round_belly: whether the bottom is round instead of bevelled.
        wall, floor, front, rim: thicknesses; ``rim`` is the frame around the front.
        split: height at which the shells part.
        bosses: height at which the bosses of the screws end, if the front is not lower.
        vents: slots in each side.
        gap, fit: air around bought parts, and between printed ones.
        pi_back: from the far wall to the Pi's edge.
        pi_lift, charger_lift, cell_lift: from the floor to the part.
        joints: room below the carrier for its solder joints.
        well_x, well_y, hole, well_deep: the lid's hole, and how deep below the dish its sensor is.
        dish_round, dish_deep: radius and depth of the hollow for the thumb.
        pad_x, pad_y, pad_deep, pad_plastic: the pad's recess and the plastic over its module.
        display_y: middle of the display's board.
        window_wide, window_long: the pane.
        eyes_x, eyes_z, sender_back: sender (right) and receiver (left) at the far edge.
        screw: length below the head.
        computer: what is in the case.
        colour: of the printed parts around the light sensor.
        thumb_off: how far the thumb lands from the hole's middle.
        accelerometer_turn: degrees by which the module lies turned, seen from above.
    """

    near: float = 68.0
    far: float = 78.0
    long: float = 102.0
    thick: float = 21.6
    near_corner: float = 15.0
    far_corner: float = 9.0
    bulge: float = 0.6
    belly: float = 3.4
    brow: float = 2.4
    round_belly: bool = False
    wall: float = 2.4
    floor: float = 2.0
    front: float = 3.2
    rim: float = 3.0
    split: float = 6.5
    bosses: float = 18.4
    vents: int = 0
    gap: float = 0.3
    fit: float = 0.15
    pi_back: float = 1.2
    pi_lift: float = 3.0
    charger_lift: float = 2.0
    cell_lift: float = 0.5
    joints: float = 1.5
    well_x: float = -17.0
    well_y: float = 30.0
    hole: float = 5.0
    well_deep: float = 2.7
    dish_round: float = 18.0
    dish_deep: float = 1.8
    pad_x: float = 17.0
    pad_y: float = 30.0
    pad_deep: float = 0.8
    pad_plastic: float = 1.6
    display_y: float = 82.0
    window_wide: float = 34.0
    window_long: float = 22.0
    eyes_x: float = 18.0
    eyes_z: float = 15.0
    sender_back: float = 0.0
    receiver_x: float = -18.0
    screw: float = 12.0
    computer: Computer = "pi"
    colour: Colour = "black"
    thumb_off: float = 5.0
    accelerometer_turn: float = 0.0

    @property
    def pi_far(self) -> float:
        """The far edge of the Pi's board."""
        return self.long - self.wall - self.pi_back

    @property
    def pi_near(self) -> float:
        """The near edge of the Pi's board."""
        return self.pi_far - bought().mm(self.computer, "along")

    @property
    def pi_low(self) -> float:
        """The underside of the Pi's board."""
        return self.floor + self.pi_lift

    @property
    def pi_top(self) -> float:
        """The upper side of the Pi's board."""
        return self.pi_low + bought().mm(self.computer, "board")

    @property
    def header_y(self) -> float:
        """The middle between the two rows of the header."""
        return self.pi_near + bought().mm("pi", "header_inset")

    @property
    def is_large(self) -> bool:
        """Whether a Pi 4 or 5 is in the case, and no cell."""
        return self.computer == "large_pi"

    @property
    def cell_top(self) -> float:
        """The upper side of a cell that has swollen."""
        swollen = bought().mm("cell", "high") * (1 + bought().limit("swell_share"))
        return self.floor + self.cell_lift + swollen

    @property
    def carrier_low(self) -> float:
        """The underside of the carrier board."""
        return (self.wires_top if self.is_large else self.cell_top) + self.joints

    @property
    def wires_top(self) -> float:
        """The upper side of the wires on the socket on the header of a large Pi."""
        return self.pi_top + sum(
            bought().mm(*name)
            for name in (("pi", "header_plastic"), ("socket", "high"), ("socket", "wires"))
        )

    @property
    def metal_top(self) -> float:
        """The upper side of the metal below the touch pad: the cell, or sockets of a large Pi."""
        return self.pi_top + bought().mm("large_pi", "usb_high") if self.is_large else self.cell_top

    @property
    def carrier_far(self) -> float:
        """The far edge of the carrier: over the header, or close to the lid's module."""
        pitch = bought().mm("carrier", "pitch")
        if self.is_large:
            return self.well_y + bought().mm("light", "width") / 2 + 2 * self.gap + 12 * pitch
        return self.header_y + 2 * pitch  # the header stands in the second and third row of holes

    @property
    def front_low(self) -> float:
        """The underside of the front, which is the ledge that it lies on."""
        return self.thick - self.front

    @property
    def dish_low(self) -> float:
        """The lowest point of the hollow for the thumb: the upper end of the lid's hole."""
        return self.thick - self.dish_deep

    @property
    def dish_reach(self) -> float:
        """The radius of the hollow at the surface."""
        return sqrt(2 * self.dish_round * self.dish_deep - self.dish_deep**2)

    @property
    def sensor_top(self) -> float:
        """The upper side of the light sensor."""
        return self.dish_low - self.well_deep

    @property
    def picture_y(self) -> float:
        """The middle of the lit area."""
        return self.display_y + bought().mm("display", "picture_up")

    @property
    def screw_seat(self) -> float:
        """The height at which the screws' heads sit."""
        return self.floor + 0.6


CUP = Sizes()
"""The form that was chosen."""
DEEP = replace(CUP, computer="large_pi", thick=33.0, eyes_z=26.4, vents=7)
"""The same form, deeper, for a Pi 4 or 5; front, well and ring are the same."""
SLAB = replace(
    CUP, near=78.0, near_corner=7.0, far_corner=7.0, bulge=0.0, belly=1.2, brow=1.0
)  # fmt: skip
PEBBLE = replace(
    CUP, near=78.0, far=86.0, long=112.0, near_corner=34.0, far_corner=26.0, bulge=2.0, belly=6.0,
    brow=3.0, round_belly=True, display_y=84.0,
)  # fmt: skip
"""The two forms that were not."""
FORMS = {"slab": SLAB, "cup": CUP, "pebble": PEBBLE}
