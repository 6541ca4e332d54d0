"""Who may speak when, on a medium that carries one voice at a time and is heard by everybody.

A handheld listens before it speaks, waits a moment after what it has heard, and a random one more,
so that two who waited for the same silence do not speak at once. The frames of the cup go first.
What is sent again before an answer could have come is not sent.
"""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.link.infrared.coding import MOST_FRAME
from firmware.link.infrared.pulses import duration_us
from firmware.messages import Kind

TURN_AROUND_US = 30_000
"""From the end of what was heard until a receiver hears again, and may be spoken to."""
SPREAD_US = 40_000
"""At most so much longer, at random, is waited."""
AGAIN_US = 250_000
"""The same frame is sent again not before its answer had time, and this long …"""
AGAIN_SPREAD_US = 250_000
"""… and at random up to this much longer."""
FRESH_US = 5_000_000
"""A frame that waited longer is stale."""
MOST_WAITING = 24
"""Frames that wait. The oldest of the least urgent makes room."""
ANSWER_US = 2 * TURN_AROUND_US + duration_us(MOST_FRAME)
"""The longest answer takes about so long."""

_CUP = (Kind.PROPOSE, Kind.ANSWER, Kind.GIVE, Kind.TAKEN, Kind.CANCEL, Kind.NAK)
_KIND = 0x0F


@dataclass
class _Waiting:
    frame: bytes
    since_us: int

    @property
    def rank(self) -> tuple[bool, int]:
        """What goes first: the cup, then what has waited longest."""
        return (self.frame[0] & _KIND not in _CUP, self.since_us)


class Manners:
    """Decides what one handheld sends, and when. Times in µs, never running back.

    Args:
        chance: returns a number from 0 to 1, below 1.
    """

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._waiting: list[_Waiting] = []
        self._sent_us: dict[bytes, int] = {}
        self._free_us = 0

    def want(self, frame: bytes, now_us: int) -> None:
        """Have a frame sent. One that waits already, or was sent just now, is not sent twice."""
        if any(waiting.frame == frame for waiting in self._waiting):
            return
        again_us = self._sent_us.get(frame)
        if again_us is not None and now_us < again_us:
            return
        self._waiting.append(_Waiting(frame, now_us))
        if len(self._waiting) > MOST_WAITING:
            self._waiting.remove(max(self._waiting, key=lambda one: (one.rank[0], -one.since_us)))

    def heard(self, until_us: int) -> None:
        """There is, or was, light on the air until then."""
        free_us = until_us + TURN_AROUND_US + int(self._chance() * SPREAD_US)
        self._free_us = max(self._free_us, free_us)

    @property
    def next_us(self) -> int | None:
        """When ``take`` may have something; None if nothing waits."""
        return self._free_us if self._waiting else None

    def take(self, now_us: int) -> bytes | None:
        """The frame to send now, if one is; ``heard`` must be told when it ends."""
        self._waiting = [one for one in self._waiting if one.since_us > now_us - FRESH_US]
        self._sent_us = {frame: us for frame, us in self._sent_us.items() if us > now_us}
        if now_us < self._free_us or not self._waiting:
            return None
        chosen = min(self._waiting, key=lambda one: one.rank)
        self._waiting.remove(chosen)
        patience_us = ANSWER_US + AGAIN_US + int(self._chance() * AGAIN_SPREAD_US)
        self._sent_us[chosen.frame] = now_us + duration_us(len(chosen.frame)) + patience_us
        return chosen.frame

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
