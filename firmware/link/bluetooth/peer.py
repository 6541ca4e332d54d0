"""What is kept of one other device: its channel, its queue, when to try again."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from firmware.effects.places import Chair
from firmware.link.bluetooth.channel import Channel
from firmware.table.protocol.invitations import DEVICE_BYTES, address_of, device_of

BACKOFF_S = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Waiting time after a failed attempt, and after each that follows; the last for good."""
GONE_AFTER = 3
"""Attempts in a row that fail, until a device that is looked for is called gone."""
FRESH_S = 5.0
"""How long a frame waits for a connection before it is dropped as stale."""
MOST_WAITING = 1 << 16
"""Bytes that may wait for a connected device; a frame that comes on top is dropped."""
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

    ``channel``: None while not connected. ``since``: when the last connection was made. ``turn``:
    rises with each attempt, lowest goes first. ``failures``: attempts that failed since then.
    """

    def __init__(self, device: bytes, address: str) -> None:
        self.device = device
        self.address = address
        self.queue: deque[Waiting] = deque(maxlen=QUEUE_FRAMES)
        self.channel: Channel | None = None
        self.active = self.since = 0.0
        self.turn = 0
        self.failures = 0
        self.retry: asyncio.TimerHandle | None = None
        self.idle: asyncio.TimerHandle | None = None

    @property
    def backoff_s(self) -> float:
        """How long to wait before the next attempt."""
        return BACKOFF_S[min(self.failures, len(BACKOFF_S) - 1)]

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

    def connect(self, channel: Channel, now: float) -> None:
        """Have this connection from now on; nothing is tried again."""
        self.channel, self.since = channel, now
        self.failures = 0
        if self.retry is not None:
            self.retry.cancel()
            self.retry = None

    def write(self, data: bytes, now: float) -> None:
        """Send a frame with its length before it over the connection, which there must be."""
        assert self.channel is not None
        self.active = now
        if self.channel.waiting + len(data) <= MOST_WAITING:
            self.channel.write(data)

    def flush(self, now: float) -> None:
        """Send what waits and is fresh, where there is a connection."""
        self.drop_stale(now - FRESH_S)
        while self.queue and self.channel is not None:
            self.write(self.queue.popleft().data, now)

    def cancel_timers(self) -> None:
        """Try nothing again, and watch no connection."""
        for timer in (self.retry, self.idle):
            if timer is not None:
                timer.cancel()


class Peers:
    """All other devices that are known, in the order in which they became known.

    Args:
        me: the own address, six bytes.
        known: the devices of a table that is fixed; None: whoever comes is met.
        on_presence: gets the seat that carries, and whether it is found; None: nobody asks.

    Raises:
        ValueError: one device is named twice, or is the own one.
    """

    def __init__(
        self,
        me: bytes,
        known: Iterable[bytes] | None,
        on_presence: Callable[[int, bool], None] | None = None,
    ) -> None:
        self._me = me
        self.is_open = known is None
        others = tuple(known or ())
        if len({me, *others}) != 1 + len(others):
            raise ValueError("two seats have the same Bluetooth address: correct the settings")
        self._peers = {other: Peer(other, address_of(other)) for other in others}
        self.chair: Chair | None = None
        """At which table, and so who passes on what is for those who cannot be found."""
        self._on_presence = on_presence

    def __iter__(self) -> Iterator[Peer]:
        return iter(self._peers.values())

    def get(self, device: bytes) -> Peer | None:
        """The peer, if it is known."""
        return self._peers.get(device)

    def meet(self, device: bytes) -> Peer:
        """The peer, known from now on. Raises ValueError for one that is not of this table."""
        peer = self._peers.get(device)
        if peer is None:
            if device == self._me or not self.is_open:
                raise ValueError(f"{address_of(device)} is no other device of this table")
            peer = self._peers[device] = Peer(device, address_of(device))
        return peer

    def at(self, address: str) -> Peer | None:
        """The peer at an address; None for one that is no handheld's, or not of this table."""
        try:
            device = device_of(address)
        except ValueError:
            return None
        if device not in self._peers and (not self.is_open or len(device) != DEVICE_BYTES):
            return None
        return self.meet(device)

    def way_to(self, peer: Peer) -> Peer:
        """Who takes what is for a peer: it, or who carries, where it could not be found."""
        device = None if self.chair is None else self.chair.carried_by
        if device is None or not peer.failures:
            return peer
        carrier = self.meet(device)
        return peer if carrier.failures else carrier

    def hand_on(self, peer: Peer, now: float) -> None:
        """Give what waits for a peer that could not be found to who carries, if anybody does."""
        way = self.way_to(peer)
        if way is not peer:
            way.queue.extend(peer.queue)
            peer.queue.clear()
            way.flush(now)

    def tell_of(self, peer: Peer) -> None:
        """Report who carries: as gone after so many attempts, as here once it is connected."""
        chair, is_here = self.chair, peer.channel is not None
        if chair is None or chair.carrier is None or chair.carried_by != peer.device:
            return
        if self._on_presence is not None and (is_here or peer.failures == GONE_AFTER):
            self._on_presence(chair.carrier, is_here)

    def next(self, oldest: float) -> Peer | None:
        """Who is to be connected to: of those that frames since ``oldest`` wait for.

        The cup first; else in turn. One that was not there just now has no precedence: an absent
        seat does not keep the others waiting more than once.
        """
        waiting = [peer for peer in self if peer.wants(oldest)]
        return min(waiting, key=lambda peer: (not peer.is_urgent, peer.turn), default=None)

    def idlest(self) -> Peer | None:
        """Whose connection has been silent for the longest time; None without any.

        Of those that have been so equally long the one that was made first.
        """
        connected = [peer for peer in self if peer.channel is not None]
        return min(connected, key=lambda peer: (peer.active, peer.since), default=None)

    @property
    def place(self) -> int:
        """How many of them have a lower address than this device."""
        return sum(device < self._me for device in self._peers)
