"""Several media as one link: a frame goes over all media that may deliver it, and counts once.

The cup's and the lobby's frames are few and short, so they go over infrared as well: a neighbour in
sight gets the proposal before Bluetooth connects, and either medium is enough if the other fails.
The log is longer and goes over infrared only if nothing else reaches the seat. A medium that would
have to search for a device waits while another reaches it; a repeated frame goes over all.

If a table's handhelds are not all on one medium, one of them is the carrier: it passes on frames
for others, unopened. Only the carrier does, and only to the receiver, so no frame circulates. It
receives all frames at the broker; over Bluetooth the others hand it their frames.

In a room, a guest passes the frames of its table on, between the host and neighbours: the table is
announced to them, and their JOIN names this handheld, so that it becomes the carrier.

Numbers without a source are chosen.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from firmware.effects import Place, Room, TableAddress
from firmware.link import Link, OpenController, RadioError
from firmware.link.broker import Session
from firmware.link.broker.link import BrokerLink
from firmware.link.infrared import InfraredError, Port
from firmware.table.protocol import OF_THE_CUP, Budget, MessageKind, kind_of, receiver_of, sender_of
from firmware.table.protocol import invitations as wire

SAME_FRAME_S = 0.4
"""The same frame within this time is a copy that came over another medium."""
AGAIN_S = 10.0
"""A frame repeated within this time was not delivered: then no medium waits."""
CARRIED_PER_S = 50
"""Frames of others passed on at once, and per second; the protocol resends dropped ones."""
_REMEMBERED = 32
_LONG = frozenset(MessageKind) - set(OF_THE_CUP)
"""Kinds that infrared need not carry while another medium reaches the seat."""

_log = logging.getLogger(__name__)


class SeveralLinks:
    """Links as one ``Link``. `on_frame` is where each hands on what it receives.

    Args:
        device: the own address, six bytes.
        on_frame: gets every frame once, except those that are only carried.
        now_s: returns the time in seconds, never running back.
    """

    is_broadcast = False

    def __init__(
        self, device: bytes, on_frame: Callable[[bytes], None], now_s: Callable[[], float]
    ) -> None:
        self.makers: list[Callable[[], Link]] = []
        """Make the links as they are switched on: what a medium needs is imported only then."""
        self.links: Sequence[Link] = ()
        """None before they are switched on: what is sent then is lost."""
        self._device = device
        self._place: Place | None = None
        self._on_frame = on_frame
        self._once = RecentFrames(now_s, SAME_FRAME_S)
        self._sent = RecentFrames(now_s, AGAIN_S)
        self._now_s = now_s
        self._carried = Budget(CARRIED_PER_S, CARRIED_PER_S, 0)
        self._table_address: TableAddress | None = None
        self._came_over: dict[bytes, int] = {}
        """The link over which each device of the table was heard last."""
        self._room: Room | None = None
        """The room of the lobby, also at its table: a guest may not have heard that it stands."""
        self._neighbours: dict[bytes, int] = {}
        """The link over which each guest was heard last whose frames are passed on in the room."""

    async def start(self) -> None:
        """Make all and switch them on; log what fails, and go on with the others.

        Raises:
            RadioError, InfraredError: none of them can be switched on.
            ValueError: a device is named twice.
        """
        self.links = [make() for make in self.makers]
        if self._place is not None:
            self.listen_at(self._place)
        failed = 0
        for link in self.links:
            try:
                await link.start()
            except (RadioError, InfraredError) as problem:
                failed += 1
                if failed == len(self.links):
                    raise
                _log.warning("%s", problem)

    async def stop(self) -> None:
        """Switch all links off."""
        for link in self.links:
            await link.stop()

    def abandon(self) -> None:
        """Stop all at once; see ``Link.abandon``."""
        for link in self.links:
            link.abandon()

    @property
    def is_well(self) -> bool:
        """Whether one of the links is well; see `Link`."""
        return any(link.is_well for link in self.links)

    def reaches(self, device: bytes | None, frame: bytes) -> bool | None:
        """Return ``Link.reaches`` of the best link."""
        reachable = [link.reaches(device, frame) for link in self.links]
        return True if True in reachable else None if None in reachable else False

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame over the media that may deliver it; see ``Link.send``."""
        self._send(self.links, device, frame)

    def listen_at(self, place: Place | None) -> None:
        """Take a place on all links; see ``Link.listen_at``. With one medium it never carries."""
        self._place = place
        if isinstance(place, TableAddress) and place.carries and len(self.links) == 1:
            place = replace(place, carrier=None)
        self._table_address = place if isinstance(place, TableAddress) else None
        self._came_over.clear()
        if not isinstance(place, TableAddress):
            self._room = place if isinstance(place, Room) else None
            self._neighbours.clear()
        for link in self.links:
            link.listen_at(place)

    def on_frame(self, over: int, frame: bytes) -> None:
        """Take a frame from link number ``over``: for this handheld, or to carry."""
        if not self._once.is_new(frame):
            return
        table_address = self._table_address
        if table_address is None or not table_address.carries:
            if self._room is not None:
                self._pass_on(self._room, over, frame)
            self._on_frame(frame)
            return
        sender, receiver = _named(frame, table_address.devices)
        own = table_address.devices[table_address.seat]
        if sender is not None:
            self._came_over[sender] = over
        if receiver in (None, own):
            self._on_frame(frame)
        elif sender not in (None, own) and self._may_carry():
            self._carry(over, receiver, frame)

    def _pass_on(self, room: Room, over: int, frame: bytes) -> None:
        """Pass a frame of the room's table on: a neighbour's to the broker, the host's to them."""
        near = {at: link for at, link in enumerate(self.links) if not isinstance(link, BrokerLink)}
        try:
            kind, sender, receiver, session = wire.head_of(frame)
            wire.body_of(frame)
        except wire.InvitationError:
            return
        if session != room.session or not self._may_carry():
            return
        if over not in near and sender == room.host:
            if kind is wire.InvitationKind.TABLE:
                for link in near.values():
                    link.send(None, frame)
            for device, at in self._neighbours.items():
                if receiver in (wire.EVERYBODY, device):
                    near[at].send(device, frame)
        elif (
            over in near
            and sender not in (room.host, self._device, wire.EVERYBODY)
            and receiver != self._device
        ):
            self._neighbours.pop(sender, None)
            self._neighbours[sender] = over
            if len(self._neighbours) > wire.MOST_PEOPLE:
                self._neighbours.pop(next(iter(self._neighbours)))
            for link in self.links:
                if isinstance(link, BrokerLink):
                    link.send(receiver, wire.passed_on(frame, self._device))

    def _may_carry(self) -> bool:
        return self._carried.take(round(self._now_s() * 1e6))

    def _carry(self, over: int, device: bytes, frame: bytes) -> None:
        """Pass on a frame for another device.

        On a medium that all receive, a device that is there has the frame already. If the device
        speaks over another medium, its presence there is a false report.
        """
        came_over = self.links[over]
        links = [link for link in self.links if link is not came_over or not link.is_broadcast]
        has_it = came_over.is_broadcast and came_over.reaches(device, frame)
        if not has_it or self._came_over.get(device, over) != over:
            self._send(links, device, frame)

    def _send(self, links: Sequence[Link], device: bytes | None, frame: bytes) -> None:
        reached = [link.reaches(device, frame) for link in links]
        again = not self._sent.is_new(frame)
        for link, reaches in zip(links, reached):
            stands_back = kind_of(frame) in _LONG if reaches is None else not again
            if True not in reached or reaches or not stands_back:
                link.send(device, frame)


def _named(frame: bytes, devices: Sequence[bytes]) -> tuple[bytes | None, bytes | None]:
    """Return sender and receiver of a frame, each None if it is not of this table."""
    if not wire.is_invitation(frame):
        by_seat: dict[int | None, bytes] = dict(enumerate(devices))
        return by_seat.get(sender_of(frame)), by_seat.get(receiver_of(frame))
    try:
        _, sender, receiver, _ = wire.head_of(frame)
    except wire.InvitationError:
        return None, None
    return sender if sender in devices else None, receiver if receiver in devices else None


class RecentFrames:
    """Tells a frame from its copies.

    Args:
        now_s: returns the time in seconds, never running back.
        same_s: one that comes again within this time is a copy.
    """

    def __init__(self, now_s: Callable[[], float], same_s: float) -> None:
        self._now_s = now_s
        self._same_s = same_s
        self._seen: OrderedDict[bytes, float] = OrderedDict()

    def is_new(self, frame: bytes) -> bool:
        """Return whether ``frame`` is new within the last ``same_s``; if so, remember it."""
        now_s = self._now_s()
        seen_s = self._seen.get(frame)
        if seen_s is not None and now_s - seen_s <= self._same_s:
            return False  # and it stays as old as it is: who repeats it silences nobody
        self._seen.pop(frame, None)
        self._seen[frame] = now_s
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return True


def link_over(
    controller: OpenController | None,
    port: Port | None,
    device: bytes,
    on_frame: Callable[[bytes], None],
    chance: Callable[[], float],
    known: Iterable[bytes] | None = None,
    session: Session | None = None,
    on_presence: Callable[[int, bool], None] | None = None,
) -> Link:
    """Create the link that the available media allow. It is not started.

    Args:
        controller: opens the controller of Bluetooth; None: there is no Bluetooth.
        port: an infrared transmitter and receiver; None: there is none.
        device: the own address, six bytes.
        on_frame: gets every frame once, whichever medium it comes over.
        chance: returns a number from 0 to 1, below 1.
        known: the other devices of a fixed table; None: any device may enter.
        session: at a broker; None: there is none.
        on_presence: gets a seat, and whether it is at the broker, on each change; without a broker,
            the carrier's seat, and whether it is found.

    Raises:
        ValueError: there is no medium.
    """
    several = SeveralLinks(device, on_frame, asyncio.get_running_loop().time)
    makers = several.makers
    if port is not None:
        makers.append(partial(_over_infrared, port, partial(several.on_frame, len(makers)), chance))
    if controller is not None:
        take = partial(several.on_frame, len(makers))
        on_state = on_presence if session is None else None  # a broker knows better
        makers.append(partial(_over_bluetooth, controller, device, take, known, on_state))
    if session is not None:
        take = partial(several.on_frame, len(makers))
        makers.append(partial(BrokerLink, session, take, on_presence))
    if not makers:
        raise ValueError("without Bluetooth, infrared and a broker nobody can be reached")
    return several


def _over_infrared(*given: Any) -> Link:
    from firmware.link.infrared.link import InfraredLink

    return InfraredLink(*given)


def _over_bluetooth(*given: Any) -> Link:
    from firmware.link.bluetooth.link import BluetoothLink  # needs the extra bluetooth

    return BluetoothLink(*given)
