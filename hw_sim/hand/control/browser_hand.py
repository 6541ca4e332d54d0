"""The hand of a person in front of a browser: the handheld feels the motion of its picture."""

import asyncio
from random import Random

from drivers.time import now_us
from hw_sim.hand.control.keyboard_hand import CALM_US, TOUCH_US, Key, KeyboardHand
from hw_sim.hand.control.lid import HandheldInHand
from hw_sim.hand.signals.motion import us

KEYS = {"shake": Key.SHAKE, "left": Key.LEFT, "right": Key.RIGHT, "tap": Key.TAP, "hold": Key.HOLD}
"""Keys by the names that a browser uses."""
TURN_S = 0.12
LIES_US = us(1.2)
"""The time that a dropped handheld lies before it is taken up."""


class BrowserHand:
    """A handheld in the hands of a person; `play` runs beside it.

    Args:
        held: the handheld.
        rng: decides the person's motion for an action that is only a key.
    """

    def __init__(self, held: HandheldInHand, rng: Random) -> None:
        self._held = held
        self._hand = held.hand
        self._keys = KeyboardHand(held, rng)
        self._loop = asyncio.get_running_loop()
        self._target: tuple[float, float] = (0.0, 0.0)
        self._turning: asyncio.TimerHandle | None = None
        self._rising: asyncio.TimerHandle | None = None
        self._pressing: asyncio.TimerHandle | None = None
        self._releasing: asyncio.TimerHandle | None = None
        self._touch_until_us = 0

    async def play(self) -> None:
        """Do what keys ask for, one thing after the other, until cancelled."""
        try:
            await self._keys.play()
        finally:
            for timer in (self._turning, self._rising, self._pressing, self._releasing):
                if timer is not None:
                    timer.cancel()

    def press(self, key: str, down: bool) -> None:
        """Do what a key of `KEYS` does, which went down or came up again.

        Raises:
            KeyError: there is no such key.
        """
        (self._keys.hold if down else self._keys.release)(KEYS[key])

    def turn(self, entries: int) -> None:
        """Tilt until the dial has moved by a number of entries, right or (negative) left."""
        self._keys.turn(Key.RIGHT if entries > 0 else Key.LEFT, abs(entries))

    def lift(self, lifted: bool) -> None:
        """Press the lid (True), or let it go: even a short press is a whole lift (`Lid`)."""
        lid = self._keys.lid
        (lid.lift if lifted else lid.let_go)()

    def cover(self) -> None:
        """Cover the cup at once."""
        self._keys.lid.cover()

    def make_way(self, until_us: int) -> None:
        """Make ready to be moved about by the person until a time in µs.

        A cup that waits falls closed, and none is lifted before a shake has come to rest.
        """
        self._keys.lid.make_way()
        self._keys.lid.follow_shake(until_us)

    def touch(self, down: bool) -> None:
        """Put a finger on the pad once the hand is calm, or take it off, after 0.3 s or later.

        A pad that dozes may not notice a touch as short as people's clicks are.
        """
        if down and self._releasing is not None:
            self._releasing.cancel()
            self._releasing = None
        elif down:
            at_us = max(self._now_us, self._hand.free_us + CALM_US, self._keys.lid.make_way())
            self._touch_until_us = at_us + TOUCH_US
            self._pressing = self._loop.call_at(at_us / 1e6, self._put_finger)
        else:
            at_us = max(self._now_us, self._touch_until_us)
            self._releasing = self._loop.call_at(at_us / 1e6, self._take_finger)

    def _put_finger(self) -> None:
        self._hand.hold(self._now_us, 0.2)
        self._held.touch(True)

    def _take_finger(self) -> None:
        self._releasing = None
        self._held.touch(False)

    def tilt(self, roll_deg: float, pitch_deg: float) -> None:
        """Tilt it away from the held pose, in degrees: right edge down, far edge down."""
        self._target = (roll_deg, pitch_deg)
        if self._turning is None:
            self._turn()

    def drop(self) -> None:
        """Let it fall, now, if it is in the hand; 1.2 s after it lies it is taken up again."""
        if self._rising is not None:
            return
        lies_us = self._hand.drop(self._now_us)
        self._rising = self._loop.call_at((lies_us + LIES_US) / 1e6, self._take_up)

    def _take_up(self) -> None:
        self._rising = None
        self._hand.take_up(self._now_us)

    def _turn(self) -> None:
        roll_deg, pitch_deg = self._target
        if roll_deg or pitch_deg:
            end_us = self._hand.tilt(self._now_us, roll_deg, pitch_deg, TURN_S)
        else:
            end_us = self._hand.level(self._now_us, TURN_S)
        self._turning = self._loop.call_at(end_us / 1e6, self._turned, self._target)

    def _turned(self, reached: tuple[float, float]) -> None:
        self._turning = None
        if reached != self._target:
            self._turn()

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)
