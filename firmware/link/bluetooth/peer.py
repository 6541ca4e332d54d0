"""What is kept of one other device: its channel, its queue, when to try again."""

import asyncio
from collections import deque
from typing import NamedTuple

from firmware.link.bluetooth.channel import Channel
from firmware.table.protocol.header import kind_of
from firmware.table.protocol.kinds import OF_THE_CUP

QUEUE_FRAMES = 16
"""Frames that wait for a connection, per seat. The oldest makes room for the newest."""


def replaces(me: int, seat: int, *, new: bool, former: bool) -> bool:
    """Tell whether a new connection with ``seat`` takes the place of the former.

    ``new`` and ``former``: True where this side is the central. Both sides decide alike: the
    connection whose central sits lower stays; of two with one central, the newer.
    """
    return new == former or new == (me < seat)


def is_of_the_cup(frame: bytes) -> bool:
    """Tell whether a sealed frame says that it moves the cup."""
    return kind_of(frame) in OF_THE_CUP


class Waiting(NamedTuple):
    """A frame that waits for a connection since a time, as it is written."""

    since: float
    data: bytes
    is_of_the_cup: bool


class Peer:
    """What is known of another seat. Times in seconds on the loop's clock."""

    def __init__(self, seat: int, address: str) -> None:
        self.seat = seat
        self.address = address
        self.queue: deque[Waiting] = deque(maxlen=QUEUE_FRAMES)
        self.bearer: Channel | None = None
        self.active = 0.0
        self.turn = 0
        self.failures = 0
        self.released = False
        self.retry: asyncio.TimerHandle | None = None
        self.idle: asyncio.TimerHandle | None = None

    @property
    def is_urgent(self) -> bool:
        """Whether the cup waits for a connection, and the last attempt did not fail."""
        return not self.failures and any(waiting.is_of_the_cup for waiting in self.queue)

    def drop_stale(self, oldest: float) -> None:
        """Drop what was queued before ``oldest``."""
        while self.queue and self.queue[0].since < oldest:
            self.queue.popleft()
