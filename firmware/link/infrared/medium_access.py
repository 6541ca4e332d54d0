"""Turns on a medium that carries one sender at a time and reaches everybody.

- No handheld receives while its own light is on, nor for 20 to 50 ms after. The next transmission
  therefore waits TURN_AROUND_US after the last mark on the air.
- A handheld listens before it sends; but marks reach it up to 20 ms late, so two that begin within
  that time do not notice each other. Frames of the cup go first; then the addressed handheld
  replies; the rest waits longer, and every frame waits a random time more. A handheld that has just
  sent lets the others have their turn first.
- Packets that belong together follow without a turn: the pieces of a frame, and a PROPOSE with the
  signed entries that its seat needs to answer it.
- A frame repeated before an answer could have come is dropped. A newer LOG, WANT or QUESTION
  replaces an older one that still waits for the same seat; the next frame on the cup's way replaces
  a PROPOSE or ANSWER.

Numbers without a source are chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.link.infrared import duration_us
from firmware.link.infrared.coding import MOST_FRAME, Packet, coded_size, packets_of
from firmware.table.protocol import (
    EVERY_SEAT,
    OF_THE_CUP,
    MessageKind,
    first_of,
    kind_of,
    receiver_of,
    sender_of,
)
from firmware.table.protocol.invitations import HEAD_BYTES, InvitationKind, is_invitation

TURN_AROUND_US = 55_000
"""From the end of a transmission until every receiver is ready for the next."""
CUP_SPREAD_US = 10_000
"""Frames of the cup wait at random up to this much longer."""
REPLY_LATER_US, REPLY_SPREAD_US = 10_000, 15_000
"""Other frames wait this much longer, and at random up to this much more, if the last frame on the
air was for this seat …"""
LATER_US, SPREAD_US = 45_000, 100_000
"""… and so much otherwise."""
LOG_LATER_US, LOG_SPREAD_US = 50_000, 80_000
"""Entries of the log wait so, too: a handheld that replies to the last ones was received by then.
"""
YIELD_US = 45_000
"""A handheld that has just sent waits this much longer: the others have begun by then."""
TRAIN_US = 20_000
"""Between two packets that belong together; longer than the silence that ends a packet."""
AGAIN_US = 250_000
"""A frame is not repeated before its answer had time, and so long …"""
AGAIN_SPREAD_US = 250_000
"""… and at random up to this much longer, so that two who collided do not collide again."""
FRESH_US = 5_000_000
"""A frame that waited longer is stale."""
MOST_WAITING = 24
"""Most frames that wait. The oldest of the least urgent is dropped."""
ANSWER_US = 2 * TURN_AROUND_US + duration_us(coded_size(MOST_FRAME))
"""Duration of the longest answer, a frame of MOST_FRAME bytes."""

MOST_PATIENCE = 8
"""A frame without effect waits at most so many times longer for its repetition."""

_NEWEST_COUNTS = (InvitationKind.TABLE, InvitationKind.ASK)
_OUTDATED = (MessageKind.LOG, MessageKind.WANT, MessageKind.QUESTION)


def _outdates(frame: bytes, waiting: bytes) -> bool:
    """Return whether a frame voids one that still waits."""
    kind, former = kind_of(frame), kind_of(waiting)
    if receiver_of(waiting) != receiver_of(frame):
        return False
    if is_invitation(waiting):
        head = waiting[:HEAD_BYTES]
        return waiting[1] in _NEWEST_COUNTS and frame[:HEAD_BYTES] == head
    if former in (MessageKind.PROPOSE, MessageKind.ANSWER):
        return kind in OF_THE_CUP
    if kind == former == MessageKind.LOG:
        return first_of(frame) <= first_of(waiting)
    return former in _OUTDATED and former == kind


def _patience(frame: bytes, times: int) -> int:
    """Return how many times longer a frame waits that was sent in vain so many times.

    While a table is made, many handhelds send at once and repeat frames without effect, ever more
    rarely. The host's notice announces the table, and keeps its pace.
    """
    is_patient = is_invitation(frame) and frame[1] != InvitationKind.TABLE
    return min(1 << times, MOST_PATIENCE) if is_patient else 1


@dataclass
class _Waiting:
    frame: bytes
    since_us: int
    from_us: int
    patience: int = 1
    packets: list[Packet] = field(init=False)

    def __post_init__(self) -> None:
        self.packets = packets_of(self.frame)

    @property
    def is_of_the_cup(self) -> bool:
        return kind_of(self.frame) in OF_THE_CUP

    @property
    def rank(self) -> tuple[int, int]:
        """The order of frames: the cup first, the log last, the rest by waiting time."""
        place = 0 if self.is_of_the_cup else 2 if kind_of(self.frame) == MessageKind.LOG else 1
        return place, self.since_us


class MediumAccess:
    """Decides which frame one handheld sends, and when. Times in µs, never running back.

    Args:
        chance: returns a number from 0 to 1, below 1.
    """

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._waiting: list[_Waiting] = []
        self._again: dict[bytes, tuple[int, int]] = {}
        """When a recently sent frame may be repeated, and how often it was sent."""
        self._quiet_us = -TURN_AROUND_US
        """End of the last light on the air, past or future."""
        self._sent_last = False
        self._my_turn = False
        self._more: _Waiting | None = None
        """The frame whose next piece follows."""
        self._proposed_to: int | None = None
        self._random = 0.0

    def enqueue(self, frame: bytes, now_us: int) -> None:
        """Queue a frame; drop one that waits already or was sent within its AGAIN_US.

        It replaces frames to the same seat that it outdates. Beyond MOST_WAITING, the oldest of the
        least urgent is dropped.
        """
        again_us, times = self._again.get(frame, (0, 0))
        if now_us < again_us or any(waiting.frame == frame for waiting in self._waiting):
            return
        self._waiting = [one for one in self._waiting if not _outdates(frame, one.frame)]
        spread_us = int(self._chance() * AGAIN_SPREAD_US) if again_us else 0
        patience = _patience(frame, times)
        self._waiting.append(_Waiting(frame, now_us, now_us + spread_us, patience))
        if len(self._waiting) > MOST_WAITING:
            self._waiting.remove(max(self._waiting, key=lambda one: (one.rank[0], -one.since_us)))

    def medium_busy(self, until_us: int) -> None:
        """Note that another's light was on the air until ``until_us``: wait anew."""
        self._quiet_us = max(self._quiet_us, until_us)
        self._sent_last = self._my_turn = False
        self._more = self._proposed_to = None
        self._random = self._chance()

    def addressed(self) -> None:
        """Note that the last transmission was for this seat, which may reply sooner."""
        self._my_turn = True

    def note_frame(self, frame: bytes) -> None:
        """Note a frame that another sent to all: it voids a waiting WANT to that sender."""
        self._waiting = [
            one
            for one in self._waiting
            if kind_of(one.frame) != MessageKind.WANT or receiver_of(one.frame) != sender_of(frame)
        ]

    @property
    def next_us(self) -> int | None:
        """When ``take`` may return a packet; None if nothing waits."""
        return min((self._due_us(waiting) for waiting in self._waiting), default=None)

    def take(self, now_us: int) -> Packet | None:
        """Return the packet to send now, or None; its time on the air then counts as busy."""
        stale_us = now_us - FRESH_US
        self._waiting = [waiting for waiting in self._waiting if waiting.since_us > stale_us]
        ready = [waiting for waiting in self._waiting if self._due_us(waiting) <= now_us]
        if not ready:
            return None
        chosen = min(ready, key=lambda waiting: (not self._follows(waiting), waiting.rank))
        packet = chosen.packets.pop(0)
        end_us = now_us + duration_us(coded_size(len(packet.content)))
        if chosen.packets:
            self._more = chosen
        else:
            self._more = None
            self._waiting.remove(chosen)
            times = self._again.get(chosen.frame, (0, 0))[1]
            again_us = end_us + ANSWER_US + AGAIN_US * _patience(chosen.frame, times)
            self._again = {frame: one for frame, one in self._again.items() if one[0] > stale_us}
            self._again[chosen.frame] = again_us, times + 1
        proposes = kind_of(chosen.frame) == MessageKind.PROPOSE
        self._proposed_to = receiver_of(chosen.frame) if proposes else None
        self._quiet_us = max(self._quiet_us, end_us)
        self._sent_last = True
        self._my_turn = False
        self._random = self._chance()
        return packet

    def clear(self) -> None:
        """Drop all waiting frames."""
        self._waiting.clear()

    def _follows(self, waiting: _Waiting) -> bool:
        if self._more is not None:
            return waiting is self._more
        is_log = kind_of(waiting.frame) == MessageKind.LOG
        to = (self._proposed_to, EVERY_SEAT)
        return is_log and self._proposed_to is not None and receiver_of(waiting.frame) in to

    def _due_us(self, waiting: _Waiting) -> int:
        if self._follows(waiting):
            return self._quiet_us + TRAIN_US
        wait_us = TURN_AROUND_US + (YIELD_US if self._sent_last else 0)
        if waiting.is_of_the_cup:
            later_us, spread_us = 0, CUP_SPREAD_US
        elif kind_of(waiting.frame) == MessageKind.LOG:
            later_us, spread_us = LOG_LATER_US, LOG_SPREAD_US
        elif self._my_turn:
            later_us, spread_us = REPLY_LATER_US, REPLY_SPREAD_US
        else:
            later_us, spread_us = LATER_US, SPREAD_US * waiting.patience
        wait_us += later_us + int(self._random * spread_us)
        return max(self._quiet_us + wait_us, waiting.from_us)
