"""Every free dimension of the case, in one value; what follows from them are its properties."""

from dataclasses import dataclass
from typing import Literal

from hardware.parts import bought

Colour = Literal["black", "grey", "white"]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The values that a designer may change, in mm. Other dimensions are those of the bought parts.

    Attributes:
        near, far, long, thick: outer size; ``near`` and ``far`` are widths.
        near_corner, far_corner, bulge: radii of the outline, and how far its sides stand out.
        belly, brow: bevels at the bottom and on top.
        wall, floor, plate: thicknesses; ``plate`` is the top, which carries the boards.
        split: height at which the shells part.
        gap, fit: air around bought parts, and between printed ones.
        pi_back: from the far wall to the Pi's edge.
        pi_lift: from the floor to a board above it.
        light_x, light_y: middle of the light sensor, which is that of its board.
        tube_air: from the light sensor's board to the light's tube.
        light_post, display_post, piezo_post, carrier_post: from the plate to what a screw holds.
        hole, dish_deep: the light's hole, and the depth of the cone for the thumb.
        pad_x, pad_y, pad_plastic: middle of the touch pad, and the plastic over it.
        pad_bar: from the touch pad's board to its bar.
        display_y: middle of the display's board.
        accelerometer_y: middle of its board.
        piezo_y: middle of the piezo.
        window: how much wider than the picture the window is, on each side.
        post: diameter of a post that takes a screw.
        screw, board_screw: lengths below the head.
        colour: of the printed parts around the light sensor.
        thumb_off: how far the thumb lands from the hole's middle.
        accelerometer_turn: degrees by which the module lies turned, seen from above.
    """

    near: float = 68.0
    far: float = 78.0
    long: float = 102.0
    thick: float = 34.5
    near_corner: float = 15.0
    far_corner: float = 9.0
    bulge: float = 0.6
    belly: float = 3.4
    brow: float = 2.4
    wall: float = 2.4
    floor: float = 2.0
    plate: float = 3.0
    split: float = 6.5
    gap: float = 0.3
    fit: float = 0.15
    pi_back: float = 1.4
    pi_lift: float = 3.0
    light_x: float = -16.0
    light_y: float = 23.0
    tube_air: float = 1.8
    light_post: float = 4.4
    display_post: float = 1.6
    piezo_post: float = 7.0
    carrier_post: float = 8.5
    hole: float = 4.5
    dish_deep: float = 2.0
    pad_x: float = 18.2
    pad_y: float = 23.0
    pad_plastic: float = 1.6
    pad_bar: float = 1.4
    display_y: float = 62.5
    accelerometer_y: float = 46.0
    piezo_y: float = 88.0
    window: float = 0.8
    post: float = 4.2
    screw: float = 12.0
    board_screw: float = 5.0
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
        return self.pi_far - bought().mm("pi", "along")

    @property
    def pi_low(self) -> float:
        """The underside of the Pi's board, and of the accelerometer's."""
        return self.floor + self.pi_lift

    @property
    def pi_top(self) -> float:
        """The upper side of the Pi's board."""
        return self.pi_low + bought().mm("pi", "board")

    @property
    def header_y(self) -> float:
        """The middle between the two rows of the header."""
        return self.pi_near + bought().mm("pi", "header_inset")

    @property
    def header_top(self) -> float:
        """The upper side of the header's plastic."""
        return self.pi_top + bought().mm("pi", "header_plastic")

    @property
    def plate_low(self) -> float:
        """The underside of the plate, to which boards are screwed."""
        return self.thick - self.plate

    @property
    def dish_low(self) -> float:
        """The lowest point of the cone for the thumb: the upper end of the light's hole."""
        return self.thick - self.dish_deep

    @property
    def light_top(self) -> float:
        """The upper side of the light sensor's board."""
        return self.plate_low - self.light_post

    @property
    def sensor_top(self) -> float:
        """The upper side of the light sensor."""
        return self.light_top + bought().mm("qt_light", "sensor")

    @property
    def well_deep(self) -> float:
        """How deep below the cone the light sensor is."""
        return self.dish_low - self.sensor_top

    @property
    def carrier_top(self) -> float:
        """The upper side of the carrier of infrared."""
        return self.plate_low - self.carrier_post

    @property
    def picture_y(self) -> float:
        """The middle of the lit area."""
        return self.display_y + bought().mm("qt_display", "picture_up")

    @property
    def screw_seat(self) -> float:
        """The height at which the screws' heads sit."""
        return self.floor + 0.6


CUP = Sizes()
"""The form that was chosen."""
