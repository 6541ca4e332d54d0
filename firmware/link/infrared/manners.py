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
"""The same frame is sent again not before its answer had time, and so long …"""
AGAIN_SPREAD_US = 250_000
"""… and at random up to this much longer, so that two who collided do not collide again."""
FRESH_US = 5_000_000
"""A frame that waited longer is stale."""
MOST_WAITING = 24
"""Frames that wait. The oldest of the least urgent makes room."""
ANSWER_US = 2 * TURN_AROUND_US + duration_us(MOST_FRAME)
"""The longest answer takes about so long."""

_CUP = (Kind.PROPOSE, Kind.ANSWER, Kind.GIVE, Kind.TAKEN, Kind.CANCEL, Kind.NAK)
_KIND = 0x0F


@dataclass(frozen=True)
class _Waiting:
    frame: bytes
    since_us: int
    from_us: int

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
        self._again_us: dict[bytes, int] = {}
        """When what was sent lately may be sent again."""
        self._free_us = 0

    def want(self, frame: bytes, now_us: int) -> None:
        """Have a frame sent. One that waits already, or was sent just now, is not sent twice."""
        again_us = self._again_us.get(frame, 0)
        if now_us < again_us or any(waiting.frame == frame for waiting in self._waiting):
            return
        spread_us = int(self._chance() * AGAIN_SPREAD_US) if again_us else 0
        self._waiting.append(_Waiting(frame, now_us, now_us + spread_us))
        if len(self._waiting) > MOST_WAITING:
            self._waiting.remove(max(self._waiting, key=lambda one: (one.rank[0], -one.since_us)))

    def heard(self, until_us: int) -> None:
        """There is, or was, light on the air until then."""
        free_us = until_us + TURN_AROUND_US + int(self._chance() * SPREAD_US)
        self._free_us = max(self._free_us, free_us)

    @property
    def next_us(self) -> int | None:
        """When ``take`` may have something; None if nothing waits."""
        first_us = min((waiting.from_us for waiting in self._waiting), default=None)
        return None if first_us is None else max(first_us, self._free_us)

    def take(self, now_us: int) -> bytes | None:
        """The frame to send now, if one is; ``heard`` must be told when it ends."""
        stale_us = now_us - FRESH_US
        self._waiting = [waiting for waiting in self._waiting if waiting.since_us > stale_us]
        ready = [waiting for waiting in self._waiting if waiting.from_us <= now_us]
        if now_us < self._free_us or not ready:
            return None
        chosen = min(ready, key=lambda waiting: waiting.rank)
        self._waiting.remove(chosen)
        self._again_us = {frame: us for frame, us in self._again_us.items() if us > stale_us}
        self._again_us[chosen.frame] = (
            now_us + duration_us(len(chosen.frame)) + ANSWER_US + AGAIN_US
        )
        return chosen.frame

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
