"""The open dial: another one opens when other actions become possible."""

from collections.abc import Callable

from firmware.input.controls.dial import Dial
from firmware.play.turn.offering import Offering


class OpenDial:
    """The dial on the display, if there is one."""

    def __init__(self) -> None:
        self.dial: Dial | None = None
        self._opened_for: object = None
        self._level_deg: float | None = None

    def follow(self, place: object, offers: Callable[[], Offering | None], now_us: int) -> None:
        """Open another dial, or none, if ``place`` differs from the last call.

        A new dial begins with the neutral pose of the one before.

        Args:
            place: the state that the dial depends on; equal places have equal dials.
            offers: returns the possible actions there; None for nothing.
            now_us: the time.
        """
        if place == self._opened_for:
            return
        self._opened_for = place
        if self.dial is not None:
            self._level_deg = self.dial.level_deg
        offering = offers()
        if offering is None:
            self.dial = None
            return
        held, tapped = offering.entries()
        self.dial = Dial(held, tapped, now_us, self._level_deg)
