"""Frames to and from the other seats of the table over Bluetooth.

Whoever has something to say connects; the others advertise. A connection serves both directions
and lasts until nothing has crossed it for IDLE_S. Frames can be lost with a connection: the
protocol above sends them again. Frames never come twice or damaged from here, and those of one
connection come in order.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from firmware.link.bluetooth.channel import Channel, ConnectError, ignore
from firmware.link.bluetooth.hci import HciTransport
from firmware.link.bluetooth.peer import Peer, Waiting, is_of_the_cup, replaces
from firmware.link.bluetooth.radio import Radio
from firmware.link.framing import FrameAssembler, FramingError, framed

FRESH_S = 5.0
"""How long a frame waits for a connection before it is dropped as stale."""
IDLE_S = 3.0
"""Silence after which the central closes a connection."""
BACKOFF_FIRST_S = 0.1
BACKOFF_MAX_S = 1.6
"""Waiting time after a failed attempt: doubled each time from the first up to this."""
BACKOFF_PER_SEAT_S = 0.013
"""Added once per seat number, so that two seats that fail together do not meet again for ever."""

_MOST_SEATS = 16

_log = logging.getLogger(__name__)


class BluetoothLink:
    """The Bluetooth side of one handheld.

    ``transport``: HCI to the controller. ``me``: own seat. ``addresses``: those of all seats'
    controllers, like ``F0:E1:D2:C3:B4:A5``, the own one included. ``on_frame(seat, frame)`` gets
    what arrives; ``on_state(seat, up)`` is told when a connection with a seat opens and ends.
    ``stranger`` gives a number to an address that is not among them, or None for one that is no
    handheld's; None instead of it keeps strangers out.

    Raises ValueError when ``addresses`` lacks the own seat or names one address twice.
    """

    def __init__(
        self,
        transport: HciTransport,
        me: int,
        addresses: Mapping[int, str],
        on_frame: Callable[[int, bytes], None],
        on_state: Callable[[int, bool], None],
        stranger: Callable[[str], int | None] | None = None,
    ) -> None:
        if me not in addresses:
            raise ValueError(f"seat {me} has no Bluetooth address: add its own to the settings")
        if len({address.upper() for address in addresses.values()}) != len(addresses):
            raise ValueError("two seats have the same Bluetooth address: correct the settings")
        self._me = me
        self._on_frame = on_frame
        self._on_state = on_state
        self._peers = {
            seat: Peer(seat, address) for seat, address in addresses.items() if seat != me
        }
        self._seats = {peer.address: peer.seat for peer in self._peers.values()}
        self._stranger = stranger
        self.radio = Radio(
            transport, addresses[me], self._seats, self._adopt, strangers=stranger is not None
        )
        self._connecting: asyncio.Task[None] | None = None
        self._closing: list[asyncio.Task[None]] = []
        self._running = False
        self._turns = 0

    async def start(self) -> None:
        """Power the controller on and be reachable. Raises RadioError."""
        await self.radio.start()
        self._running = True

    async def stop(self) -> None:
        """Close every connection, tell so by ``on_state``, and power the controller off."""
        self._halt()
        for peer in self._peers.values():
            peer.queue.clear()
            if peer.bearer is not None:
                bearer = peer.bearer
                self._part(peer)
                await bearer.close()
        await self.radio.stop()

    def abandon(self) -> None:
        """Stop at once and tell nobody, neither peers nor ``on_state``: the power is cut."""
        self._halt()
        self.radio.abandon()

    def meet(self, seat: int, address: str) -> None:
        """Know another peer from now on."""
        if seat != self._me and seat not in self._peers:
            self._peers[seat] = Peer(seat, address)
            self._seats[address] = seat

    @property
    def known(self) -> tuple[int, ...]:
        """The numbers of all peers that are known."""
        return tuple(self._peers)

    def is_up(self, seat: int) -> bool:
        """Tell whether there is a connection with ``seat`` now."""
        return self._peers[seat].bearer is not None

    def send(self, seat: int, frame: bytes) -> None:
        """Send ``frame`` (1 to MAX_FRAME bytes) to ``seat``, now or as soon as there is a way.

        Never waits. Raises ValueError for an unknown seat or a frame of the wrong length.
        """
        data = framed(frame)
        peer = self._peers.get(seat)
        if peer is None:
            raise ValueError(f"seat {seat} is no other seat of this table: nothing can be sent")
        if not self._running:
            return
        peer.released = False
        if peer.bearer is not None:
            self._write(peer, data)
            return
        peer.queue.append(Waiting(self._now(), data, is_of_the_cup(frame)))
        if peer.retry is None:
            # What is sent at this instant, to whomever, is there when one of them is chosen.
            asyncio.get_running_loop().call_soon(self._connect_next)

    def release(self, seat: int) -> None:
        """Close the connection with ``seat`` as soon as everything queued for it is sent."""
        peer = self._peers[seat]
        peer.released = True
        if peer.bearer is not None:
            self._close(peer.bearer)
            self._part(peer)

    # Making connections, one at a time: a controller looks for one peer at a time.

    def _connect_next(self) -> None:
        if not self._running or self._connecting is not None:
            return
        waiting = [peer for peer in self._peers.values() if self._wants(peer)]
        if waiting:
            # The cup first; else in turn. One that was not there just now has no precedence: an
            # absent seat does not keep the others waiting more than once.
            peer = min(waiting, key=lambda peer: (not peer.is_urgent, peer.turn))
            self._turns += 1
            peer.turn = self._turns
            self._connecting = self._spawn(self._connect(peer))
            self._connecting.add_done_callback(self._connected)

    def _connected(self, _: asyncio.Task[None]) -> None:
        self._connecting = None
        self._connect_next()

    def _wants(self, peer: "Peer") -> bool:
        peer.drop_stale(self._now() - FRESH_S)
        return bool(peer.queue) and peer.bearer is None and peer.retry is None

    async def _connect(self, peer: "Peer") -> None:
        try:
            bearer = await self.radio.connect(peer.address)
        except ConnectError as problem:
            _log.info("seat %d: %s", peer.seat, problem)
            self._retry_later(peer, failed=not problem.crossed)
        else:
            self._adopt(bearer)

    def _retry_later(self, peer: "Peer", *, failed: bool) -> None:
        delay_s = min(BACKOFF_FIRST_S * 2**peer.failures, BACKOFF_MAX_S)
        if failed:
            peer.failures += 1
        delay_s += BACKOFF_PER_SEAT_S * (self._me % _MOST_SEATS)
        peer.retry = asyncio.get_running_loop().call_later(delay_s, self._retry, peer)

    def _retry(self, peer: "Peer") -> None:
        peer.retry = None
        self._connect_next()

    # Living connections.

    def _adopt(self, bearer: Channel) -> None:
        if bearer.address not in self._seats and self._stranger is not None:
            number = self._stranger(bearer.address)
            if number is None:
                self._close(bearer)
                return
            self.meet(number, bearer.address)
        peer = self._peers[self._seats[bearer.address]]
        if not self._running or not bearer.is_open:
            self._close(bearer)
            return
        former = peer.bearer
        if former is not None and not replaces(
            self._me, peer.seat, new=bearer.outgoing, former=former.outgoing
        ):
            self._close(bearer)
            return
        peer.bearer = bearer
        peer.failures = 0
        if peer.retry is not None:
            peer.retry.cancel()
            peer.retry = None
        if former is not None:
            self._close(former)
        else:
            self._on_state(peer.seat, True)
        self._flush(peer)
        self._watch(peer, bearer)
        assembler = FrameAssembler()
        bearer.listen(
            lambda data: self._take(peer, bearer, assembler, data),
            lambda reason: self._lost(peer, bearer, reason),
        )

    def _flush(self, peer: "Peer") -> None:
        peer.drop_stale(self._now() - FRESH_S)
        while peer.queue and peer.bearer is not None:
            self._write(peer, peer.queue.popleft().data)
        if peer.released and peer.bearer is not None:
            self._close(peer.bearer)
            self._part(peer)

    def _write(self, peer: "Peer", data: bytes) -> None:
        assert peer.bearer is not None
        peer.active = self._now()
        peer.bearer.write(data)

    def _take(self, peer: "Peer", bearer: Channel, assembler: FrameAssembler, data: bytes) -> None:
        if not self._running:
            return
        peer.active = self._now()
        try:
            frames = assembler.feed(data)
        except FramingError as problem:
            _log.info("seat %d: %s", peer.seat, problem)
            bearer.listen(ignore, lambda reason: self._lost(peer, bearer, reason))
            self._close(bearer)
            return
        for frame in frames:
            self._on_frame(peer.seat, frame)

    def _lost(self, peer: "Peer", bearer: Channel, reason: str) -> None:
        _log.info("seat %d: %s", peer.seat, reason)
        if peer.bearer is bearer:
            self._part(peer)
        self._connect_next()

    def _part(self, peer: "Peer") -> None:
        """Have no connection with a seat from now on, though an old one may still be closing."""
        peer.bearer = None
        if peer.idle is not None:
            peer.idle.cancel()
        self._on_state(peer.seat, False)

    def _watch(self, peer: "Peer", bearer: Channel) -> None:
        """Close a connection of ours that has been silent for IDLE_S, or look again later."""
        if peer.bearer is not bearer or not bearer.outgoing:
            return
        left_s = peer.active + IDLE_S - self._now()
        if left_s <= 0:
            self._close(bearer)
            self._part(peer)
        else:
            loop = asyncio.get_running_loop()
            peer.idle = loop.call_later(left_s, self._watch, peer, bearer)

    def _close(self, bearer: Channel) -> None:
        task = self._spawn(bearer.close())
        self._closing.append(task)
        task.add_done_callback(self._closing.remove)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        task.add_done_callback(_check)
        return task

    def _halt(self) -> None:
        self._running = False
        for peer in self._peers.values():
            for timer in (peer.retry, peer.idle):
                if timer is not None:
                    timer.cancel()
        for task in (self._connecting, *self._closing):
            if task is not None:
                task.cancel()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _check(task: asyncio.Task[None]) -> None:
    """Let a failure that no one awaits come to light."""
    if not task.cancelled():
        task.result()
