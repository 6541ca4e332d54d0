"""A person's hand by keys, by a dragged picture, by a phone.

One press of the cup's lid, however short, is one whole lift. A click lasts 5 to 300 ms, a lift that
a handheld takes for a doubt nearly a second. The hand therefore keeps the cup lifted as long as it
takes to read dice, and over an offer until the handheld takes it for a doubt.

Numbers without a source are chosen.

May import: signals, recordings, firmware.display, firmware.input.controls, drivers.
Then read ``keyboard_hand``.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from drivers import now_us
from firmware.display.screens import GestureKind, Meaning, Screen
from firmware.display.screens.gesture_options import meaning_of
from hw_sim.hand.signals import us
from hw_sim.hand.signals.hand import Hand


class CupWatch(Protocol):
    """Called when the cup begins to open or to close, with the time in µs."""

    def lifting(self, start_us: int) -> None: ...

    def covering(self, start_us: int) -> None: ...


@dataclass(frozen=True)
class HandheldInHand:
    """One handheld in one hand.

    Attributes:
        hand: moves it, and covers its light sensor.
        touch: puts a finger on the pad (True) or takes it off.
        watch: is called for every lift and cover; None between matches.
        on_show: are called with every screen, in this order; more may be added.
    """

    hand: Hand
    touch: Callable[[bool], None]
    watch: CupWatch | None
    on_show: list[Callable[[Screen], None]]

    def lift(self, now_us: int) -> int:
        """Plan a lift from ``now_us`` on, and tell the watch; return when it ends, in µs."""
        end_us = self.hand.lift(now_us)
        if self.watch is not None:
            self.watch.lifting(now_us)
        return end_us

    def cover(self, now_us: int) -> int:
        """Plan a cover from ``now_us`` on, and tell the watch; return when it ends, in µs."""
        end_us = self.hand.cover(now_us)
        if self.watch is not None:
            self.watch.covering(now_us)
        return end_us


async def until(t_us: int) -> None:
    """Wait until a time of the running loop in µs; not at all if it has passed."""
    delay_us = t_us - now_us(asyncio.get_running_loop())
    if delay_us > 0:
        await asyncio.sleep(delay_us / 1e6)


LIFT_US = us(2.0)
"""One press lifts for this long. After a doubt the cup stays lifted as long: dice can be read."""
DOUBT_US = us(3.0)
"""A lift that nothing comes of over an offer ends after this long."""
REPEATED_US = us(0.7)
"""A typed key counts as let go this long after its last repeat. Terminals begin to repeat after
0.25 to 0.66 s."""


CLOSED_US = us(0.6)
"""A shake throws from this long on after a hand has begun to cover the cup."""
DEAF_US = us(0.6)
"""A lift counts from this long on after a shake: 0.25 s of rest end it, and 0.3 s later light is
felt again."""


class Lid:
    """Lifts and covers one cup, in virtual time.

    ``is_open``: whether the hand has it lifted.
    """

    def __init__(self, held: HandheldInHand) -> None:
        self.is_open = False
        self._held = held
        self._loop = asyncio.get_running_loop()
        self._screen: Screen | None = None
        self._is_kept = False
        self._doubts = False
        self._until_us = 0
        self._closed_us = 0
        self._felt_us = 0
        self._closing: asyncio.TimerHandle | None = None
        held.on_show.append(self._see)

    def lift(self) -> None:
        """Lift the cup, or keep it lifted, until `let_go`."""
        self.stop()
        self._open()
        self._is_kept = True

    def let_go(self) -> None:
        """Let the cup fall closed as soon as the lift has lasted long enough."""
        if self._is_kept:
            self._is_kept = False
            self._close_in_time()

    def press(self) -> None:
        """Lift for one press of a key that a terminal sends, and may repeat."""
        self._open()
        self._until_us = max(self._until_us, now_us(self._loop) + REPEATED_US)
        self._close_in_time()

    def toggle(self) -> None:
        """Cover a cup that is lifted at all; lift any other, until `let_go` or `cover`."""
        if self.is_open:
            self.cover()
        else:
            self.lift()

    def cover(self) -> None:
        """Cover the cup at once, however short the lift was."""
        self.stop()
        if self.is_open:
            self.is_open = self._is_kept = self._doubts = False
            now = now_us(self._loop)
            self._held.cover(now)
            self._closed_us = now + CLOSED_US

    def make_way(self) -> int:
        """Cover a cup that only waits to fall closed; return in µs when it is sure to be closed.

        A doubt goes on.
        """
        if self.is_open and not self._is_kept and not self._doubts:
            self.cover()
        return self._closed_us

    def follow_shake(self, end_us: int) -> None:
        """Lift no sooner than it is felt after a shake that ends at a time in µs."""
        self._felt_us = end_us + DEAF_US

    def stop(self) -> None:
        """Do nothing more by itself."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _open(self) -> None:
        if self.is_open:
            return
        self.is_open = True
        self._doubts = _doubts(self._screen)
        now = max(now_us(self._loop), self._felt_us)
        self._until_us = now + (DOUBT_US if self._doubts else LIFT_US)
        self._held.lift(now)

    def _see(self, screen: Screen) -> None:
        self._screen = screen
        if self._doubts and not _doubts(screen):
            self._doubts = False
            self._until_us = now_us(self._loop) + LIFT_US
            self._close_in_time()

    def _close_in_time(self) -> None:
        self.stop()
        if self.is_open and not self._is_kept:
            at_s = max(self._until_us, now_us(self._loop)) / 1e6
            self._closing = self._loop.call_at(at_s, self.cover)


def _doubts(screen: Screen | None) -> bool:
    """Whether a lift at this screen is a doubt."""
    return meaning_of(screen, GestureKind.LIFT) is Meaning.DOUBT
