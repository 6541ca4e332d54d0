"""The state of one other device: its channel, its queue, when to try again."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from firmware.effects.places import Place, TableAddress
from firmware.link.bluetooth.channel import Channel
from firmware.table.protocol.invitations import DEVICE_BYTES, address_of, device_of

BACKOFF_S = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Delay after the first failed attempt, and after each further one; the last repeats."""
GONE_AFTER = 3
"""Failed attempts in a row until a device counts as gone."""
FRESH_S = 5.0
"""A frame that waited longer for a connection is dropped as stale."""
MOST_WAITING = 1 << 16
"""Most bytes that wait for a connected device; further frames are dropped."""
MOST_HOSTS = 32
"""Most hosts whose announcements are kept in mind."""
QUEUE_FRAMES = 16
"""Frames that wait for a connection, per device. The newest replaces the oldest."""


def replaces(me: bytes, device: bytes, *, new: bool, former: bool) -> bool:
    """Return whether a new connection with ``device`` replaces the former.

    ``new`` and ``former``: True where this side is the central. Both sides decide alike: the
    connection whose central has the lower address stays; of two with one central, the newer.
    """
    return new == former or new == (me < device)


class Waiting(NamedTuple):
    """A frame queued at ``since`` (s, loop's clock); its length stands before ``data``."""

    since: float
    data: bytes
    is_of_the_cup: bool


class Peer:
    """The state of another device. Times in seconds on the loop's clock.

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
        """Delay before the next attempt."""
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
        """Return whether frames since ``oldest`` wait for a connection that may be tried now."""
        self.drop_stale(oldest)
        return bool(self.queue) and self.channel is None and self.retry is None

    def connect(self, channel: Channel, now: float) -> None:
        """Have this connection from now on; try no other."""
        self.channel, self.since = channel, now
        self.failures = 0
        if self.retry is not None:
            self.retry.cancel()
            self.retry = None

    def write(self, data: bytes, now: float) -> None:
        """Send a frame, after its length, over the connection, which must exist."""
        assert self.channel is not None
        self.active = now
        if self.channel.waiting + len(data) <= MOST_WAITING:
            self.channel.write(data)

    def flush(self, now: float) -> None:
        """Send the fresh waiting frames, if there is a connection."""
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
        known: the devices of a fixed table; None: any device is met.
        on_presence: gets the carrier's seat, and whether it is found; None: no callback.

    Raises:
        ValueError: a device is named twice, or is this one.
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
        self._table_address: TableAddress | None = None
        self._announcers: dict[bytes, bytes] = {}
        """The device that announced another's table last, by the host's device."""
        self._turns = 0
        self._on_presence = on_presence

    def __iter__(self) -> Iterator[Peer]:
        return iter(self._peers.values())

    def get(self, device: bytes) -> Peer | None:
        """Return the peer, if it is known."""
        return self._peers.get(device)

    def meet(self, device: bytes) -> Peer:
        """Return the peer, known from now on. Raises ValueError for a device not of this table."""
        peer = self._peers.get(device)
        if peer is None:
            if device == self._me or not self.is_open:
                raise ValueError(f"{address_of(device)} is no other device of this table")
            peer = self._peers[device] = Peer(device, address_of(device))
        return peer

    def at(self, address: str) -> Peer | None:
        """Return the peer at an address; None for one of no handheld or of another table."""
        try:
            device = device_of(address)
        except ValueError:
            return None
        if device not in self._peers and (not self.is_open or len(device) != DEVICE_BYTES):
            return None
        return self.meet(device)

    def listen_at(self, place: Place | None) -> None:
        """Take a place: that at a table names the carrier for seats that cannot be found."""
        self._table_address = place if isinstance(place, TableAddress) else None
        self._announcers.clear()

    def way_to(self, peer: Peer) -> Peer:
        """Return the peer to send to: the peer, or its carrier if that fails less often.

        In the lobby, the device that has announced the peer's table is its carrier.
        """
        place, by = self._table_address, self._announcers.get(peer.device)
        if place is not None:
            by = place.carried_by
        if by is None:
            return peer
        carrier = self.meet(by)
        return carrier if peer.failures > carrier.failures else peer

    def announced(self, host: bytes, address: str) -> None:
        """Note the address that has announced the table of a host, which may be elsewhere."""
        by = device_of(address)
        has_room = host in self._announcers or len(self._announcers) < MOST_HOSTS
        if by not in (host, self._me) and has_room:
            self._announcers[host] = by

    def hand_on(self, peer: Peer, now: float) -> None:
        """Give the frames for a peer that cannot be found to the carrier, if there is one."""
        way = self.way_to(peer)
        if way is not peer:
            way.queue.extend(peer.queue)
            peer.queue.clear()
            way.flush(now)

    def report_presence(self, peer: Peer) -> None:
        """Report the carrier: as gone after so many attempts, as here once it is connected."""
        table_address, is_here = self._table_address, peer.channel is not None
        if (
            table_address is None
            or table_address.carrier is None
            or table_address.carried_by != peer.device
        ):
            return
        if self._on_presence is not None and (is_here or peer.failures == GONE_AFTER):
            self._on_presence(table_address.carrier, is_here)

    def next(self, oldest: float) -> Peer | None:
        """Return the next peer to connect to now, among those with frames since ``oldest``.

        The cup goes first, then all in turn. A peer that was just absent has no precedence, so an
        absent seat delays the others only once.
        """
        waiting = [peer for peer in self if peer.wants(oldest)]
        peer = min(waiting, key=lambda peer: (not peer.is_urgent, peer.turn), default=None)
        if peer is not None:
            self._turns += 1
            peer.turn = self._turns
        return peer

    def idlest(self) -> Peer | None:
        """Return the peer whose connection has been silent longest; None without any.

        Among equals, the oldest connection counts.
        """
        connected = [peer for peer in self if peer.channel is not None]
        return min(connected, key=lambda peer: (peer.active, peer.since), default=None)

    @property
    def place(self) -> int:
        """Number of known devices with a lower address than this one."""
        return sum(device < self._me for device in self._peers)
