"""What is kept of one other device: its channel, its queue, when to try again."""

import asyncio
from collections import deque
from typing import NamedTuple

from firmware.link.bluetooth.channel import Channel

QUEUE_FRAMES = 16
"""Frames that wait for a connection, per device. The oldest is dropped for the newest."""


def replaces(me: bytes, device: bytes, *, new: bool, former: bool) -> bool:
    """Tell whether a new connection with ``device`` takes the place of the former.

    ``new`` and ``former``: True where this side is the central. Both sides decide alike: the
    connection whose central has the lower address stays; of two with one central, the newer.
    """
    return new == former or new == (me < device)


class Waiting(NamedTuple):
    """A frame queued at ``since`` (s, loop's clock); ``data`` has its length before it."""

    since: float
    data: bytes
    is_of_the_cup: bool


class Peer:
    """What is known of another device. Times in seconds on the loop's clock.

    ``channel``: None while not connected. ``turn``: rises with each attempt, lowest goes first.
    ``failures``: attempts that failed since the last connection.
    """

    def __init__(self, device: bytes, address: str) -> None:
        self.device = device
        self.address = address
        self.queue: deque[Waiting] = deque(maxlen=QUEUE_FRAMES)
        self.channel: Channel | None = None
        self.active = 0.0
        self.turn = 0
        self.failures = 0
        self.retry: asyncio.TimerHandle | None = None
        self.idle: asyncio.TimerHandle | None = None

    @property
    def is_urgent(self) -> bool:
        """Whether the cup waits for a connection, and the last attempt did not fail."""
        return not self.failures and any(waiting.is_of_the_cup for waiting in self.queue)

    def drop_stale(self, oldest: float) -> None:
        """Drop frames queued before ``oldest`` (s, loop's clock)."""
        while self.queue and self.queue[0].since < oldest:
            self.queue.popleft()

    def wants(self, oldest: float) -> bool:
        """Whether frames queued since ``oldest`` wait for a connection that may be tried now."""
        self.drop_stale(oldest)
        return bool(self.queue) and self.channel is None and self.retry is None

    def connect(self, channel: Channel) -> None:
        """Have this connection from now on; nothing is tried again."""
        self.channel = channel
        self.failures = 0
        if self.retry is not None:
            self.retry.cancel()
            self.retry = None

    def cancel_timers(self) -> None:
        """Try nothing again, and watch no connection."""
        for timer in (self.retry, self.idle):
            if timer is not None:
                timer.cancel()
