"""Frames to and from other devices over Bluetooth: a channel and a queue for each of them.

A handheld with a frame to send connects; the others advertise. A connection serves both directions
and lasts until nothing has crossed it for IDLE_S. Frames can be lost with a connection: the
protocol above sends them again. Frames never come twice or damaged from here, and those of one
connection come in order. A host announces its table in its advertisements; a listening handheld
receives it, and connects.

If a table has a carrier, it gets the frames for seats that cannot be found, as long as it can be
found itself.

Numbers without a source are chosen.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from firmware.effects import Nearby, Place, Room, TableAddress
from firmware.link import (
    FrameAssembler,
    FramingError,
    OpenController,
    announced,
    announcement,
    framed,
)
from firmware.link.bluetooth.channel import Channel, ConnectError, Tasks, ignore
from firmware.link.bluetooth.radio import CONNECT_S, SteadyRadio
from firmware.table.protocol import OF_THE_CUP, kind_of
from firmware.table.protocol import invitations as wire

BACKOFF_S = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Delay after the first failed attempt, and after each further one; the last repeats."""
GONE_AFTER_FAILURES = 3
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
        self._peers = {other: Peer(other, wire.address_of(other)) for other in others}
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
                raise ValueError(f"{wire.address_of(device)} is no other device of this table")
            peer = self._peers[device] = Peer(device, wire.address_of(device))
        return peer

    def at(self, address: str) -> Peer | None:
        """Return the peer at an address; None for one of no handheld or of another table."""
        try:
            device = wire.device_of(address)
        except ValueError:
            return None
        if device not in self._peers and (not self.is_open or len(device) != wire.DEVICE_BYTES):
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
        by = wire.device_of(address)
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
        if self._on_presence is not None and (is_here or peer.failures == GONE_AFTER_FAILURES):
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


IDLE_S = 3.0
"""Silence after which the central closes a connection."""
BACKOFF_PER_PLACE_S = 0.013
"""Added once per known device with a lower address, so that two devices that fail together do not
meet again for ever."""

REACHABLE_S = 0.4
REACHABLE_PER_PLACE_S = 0.25
"""Delay after a failed attempt, since a searching handheld cannot be found. It grows with each
known device of a lower address, so that many that search for each other part."""

_log = logging.getLogger(__name__)


class BluetoothLink:
    """The Bluetooth side of one handheld, a ``Link``.

    Args:
        open_controller: opens the controller, and opens it again after it was lost.
        device: the own address, six bytes.
        on_frame: gets every frame that arrives, and every announced table.
        known: the devices of a fixed table: others are kept out. None: any device may enter, and is
            known from then on.
        on_presence: gets the carrier's seat, and whether it is found.

    Raises:
        ValueError: a device is named twice, or is this one.
    """

    is_broadcast = False

    def __init__(
        self,
        open_controller: OpenController,
        device: bytes,
        on_frame: Callable[[bytes], None],
        known: Iterable[bytes] | None = None,
        on_presence: Callable[[int, bool], None] | None = None,
    ) -> None:
        self._me = device
        self._on_frame = on_frame
        self._peers = Peers(device, known, on_presence)
        self._radio = SteadyRadio(
            open_controller,
            wire.address_of(device),
            [peer.address for peer in self._peers],
            self._adopt,
            self._announced,
            self._make_room,
            strangers=self._peers.is_open,
        )
        self._connecting: asyncio.Task[None] | None = None
        self._tasks = Tasks()
        self._running = False

    async def start(self) -> None:
        """Power the controller on and be reachable. Raises RadioError."""
        await self._radio.start()
        self._running = True

    async def stop(self) -> None:
        """Drop queued frames, close every connection and power the controller off."""
        self._halt()
        for peer in self._peers:
            peer.queue.clear()
            if peer.channel is not None:
                channel = peer.channel
                self._part(peer)
                await channel.close()
        await self._radio.stop()

    def abandon(self) -> None:
        """Stop at once, without a packet or callback, as at a power cut."""
        self._halt()
        self._radio.abandon()

    @property
    def is_well(self) -> bool:
        """Whether the controller has answered within the last minute."""
        return self._radio.is_well

    def is_up(self, device: bytes) -> bool:
        """Whether there is a connection with ``device`` (six bytes) now."""
        peer = self._peers.get(device)
        return peer is not None and peer.channel is not None

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send ``frame`` (1 to MAX_FRAME bytes) to a device, as ``Link.send``.

        None, or EVERYBODY: to all known devices; a TABLE frame is also announced.

        Raises:
            ValueError: a frame of the wrong length, or a device that is not of this table.
        """
        data = framed(frame)
        if device is not None and device != wire.EVERYBODY:
            self._send(self._peers.meet(device), data, frame)
            return
        if wire.is_invitation(frame) and wire.head_of(frame).kind is wire.InvitationKind.TABLE:
            self._radio.announce(announcement(frame, self._me))
            if wire.head_of(frame).sender != self._me:
                return  # its guests get it one by one
        for peer in self._peers:
            self._send(peer, data, frame)

    def reaches(self, device: bytes | None, frame: bytes) -> bool:
        """Whether there is a connection with ``device`` (six bytes) now."""
        del frame
        return device is not None and self.is_up(device)

    def listen_at(self, place: Place | None) -> None:
        """Listen to announced tables, or do not; see ``Link.listen_at``."""
        self._peers.listen_at(place)
        self._radio.listen(isinstance(place, Nearby | Room))
        self._radio.announce(b"")

    def _announced(self, address: str, data: bytes) -> None:
        frame = announced(address, data)
        if frame is not None:
            self._peers.announced(wire.head_of(frame).sender, address)
            self._on_frame(frame)

    def _send(self, peer: Peer, data: bytes, frame: bytes) -> None:
        if not self._running:
            return
        peer = self._peers.way_to(peer)
        if peer.channel is not None:
            peer.write(data, self._now())
            return
        peer.queue.append(Waiting(self._now(), data, kind_of(frame) in OF_THE_CUP))
        if peer.retry is None:
            # Frames sent at this instant, to any device, are there when one of them is chosen.
            asyncio.get_running_loop().call_soon(self._connect_next)

    # Making connections, one at a time: a controller searches for one peer at a time.

    def _connect_next(self) -> None:
        if not self._running or self._connecting is not None:
            return
        peer = self._peers.next(self._now() - FRESH_S)
        if peer is not None:
            self._connecting = self._tasks.spawn(self._connect(peer))
            if self._connecting is not None:
                self._connecting.add_done_callback(self._connected)

    def _connected(self, _: asyncio.Task[None]) -> None:
        self._connecting = None
        self._connect_next()

    async def _connect(self, peer: Peer) -> None:
        try:
            patience_s = CONNECT_S if self._me < peer.device else CONNECT_S / 2
            channel = await self._radio.connect(peer.address, patience_s)
        except ConnectError as problem:
            _log.info("%s: %s", peer.address, problem)
            self._retry_later(peer, failed=not problem.crossed)
            self._peers.hand_on(peer, self._now())
            if problem.full:
                self._make_room()
            elif not problem.crossed:
                await asyncio.sleep(REACHABLE_S + REACHABLE_PER_PLACE_S * self._peers.place)
        else:
            self._adopt(channel)

    def _make_room(self) -> None:
        """Close the connection that has been silent for the longest time."""
        idlest = self._peers.idlest()
        if idlest is not None and idlest.channel is not None:
            self._close(idlest.channel)
            self._part(idlest)

    def _retry_later(self, peer: Peer, *, failed: bool) -> None:
        delay_s = peer.backoff_s
        if failed:
            peer.failures += 1
            self._peers.report_presence(peer)
        delay_s += BACKOFF_PER_PLACE_S * self._peers.place
        peer.retry = asyncio.get_running_loop().call_later(delay_s, self._retry, peer)

    def _retry(self, peer: Peer) -> None:
        peer.retry = None
        self._connect_next()

    # Living connections

    def _adopt(self, channel: Channel) -> None:
        peer = self._peers.at(channel.address)
        if peer is None or not self._running or not channel.is_open:
            self._close(channel)
            return
        former = peer.channel
        if former is not None and not replaces(
            self._me, peer.device, new=channel.outgoing, former=former.outgoing
        ):
            self._close(channel)
            return
        peer.connect(channel, self._now())
        self._peers.report_presence(peer)
        if former is not None:
            self._close(former)
        peer.flush(self._now())
        self._watch(peer, channel)
        assembler = FrameAssembler()
        channel.listen(
            lambda data: self._take(peer, channel, assembler, data),
            lambda reason: self._lost(peer, channel, reason),
        )

    def _take(self, peer: Peer, channel: Channel, assembler: FrameAssembler, data: bytes) -> None:
        if not self._running:
            return
        peer.active = self._now()
        try:
            frames = assembler.feed(data)
        except FramingError as problem:
            _log.info("%s: %s", peer.address, problem)
            channel.listen(ignore, lambda reason: self._lost(peer, channel, reason))
            self._close(channel)
            return
        for frame in frames:
            self._on_frame(frame)

    def _lost(self, peer: Peer, channel: Channel, reason: str) -> None:
        _log.info("%s: %s", peer.address, reason)
        if peer.channel is channel:
            self._part(peer)
        self._connect_next()

    def _part(self, peer: Peer) -> None:
        """Have no connection with a device from now on, though an old one may still be closing."""
        peer.channel = None
        if peer.idle is not None:
            peer.idle.cancel()

    def _watch(self, peer: Peer, channel: Channel) -> None:
        """Close an own connection that has been silent for IDLE_S, or look again later."""
        if peer.channel is not channel or not channel.outgoing:
            return
        left_s = peer.active + IDLE_S - self._now()
        if left_s <= 0 and not channel.is_sending:
            self._close(channel)
            self._part(peer)
        else:
            loop = asyncio.get_running_loop()
            again_s = left_s if left_s > 0 else IDLE_S
            peer.idle = loop.call_later(again_s, self._watch, peer, channel)

    def _close(self, channel: Channel) -> None:
        self._tasks.spawn(channel.close())

    def _halt(self) -> None:
        self._running = False
        for peer in self._peers:
            peer.cancel_timers()
        self._tasks.cancel()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
