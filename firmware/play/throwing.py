"""A shake of the closed cup, from its first beat to the throw."""

from enum import Enum, auto

from firmware.display.text.alerts import Alert
from firmware.input.gestures.gesture import ShakeEnded, Shaken, Shaking
from firmware.play.turn.offers import REPEAT_SHAKE_US

SHAKING_US = 1_000_000
"""A shake is over when no ``Shaking`` came for this long; they come every 0.1 s."""


class ShakeFact(Enum):
    """The result of a shake."""

    RATTLES = auto()
    """The dice rattle; there may be more."""
    THROWS = auto()
    """It was long enough: the dice have fallen."""


class Shake:
    """The shake that is under way. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.vigorous_us: int | None = None
        """The vigorous time of it in µs; None while nothing is shaken."""
        self.next_timer_us: int | None = None
        """When it ends without another ``Shaking``; None without a shake."""

    def on(
        self, shake: Shaking | Shaken | ShakeEnded, now_us: int, *, again: bool
    ) -> ShakeFact | Alert | None:
        """Follow a shake of a seat that may throw.

        Args:
            shake: the newest gesture of it.
            now_us: its time.
            again: dice lie under the cup, so that `REPEAT_SHAKE_US` of it must be vigorous.

        Returns the result, or the alert that says why the shake does not throw, or None for a shake
        that came to nothing by itself.
        """
        self.end()
        match shake:
            case ShakeEnded():
                return Alert.COVER_CUP if shake.uncovered else None
            case Shaking():
                self.vigorous_us = shake.vigorous_us
                self.next_timer_us = now_us + SHAKING_US
                return ShakeFact.RATTLES
            case Shaken():
                too_short = again and shake.vigorous_us < REPEAT_SHAKE_US
                return Alert.SHAKE_LONGER if too_short else ShakeFact.THROWS

    def end(self) -> None:
        """Forget the shake under way, if any."""
        self.vigorous_us = self.next_timer_us = None

    def tick(self, now_us: int) -> None:
        """End a shake without a ``Shaking`` for `SHAKING_US`."""
        if self.next_timer_us is not None and self.next_timer_us <= now_us:
            self.end()
