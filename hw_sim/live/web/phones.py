"""Guests' phones in the lobby at the host's: each has a handheld of its own, with its own keys.

A phone comes on a line of its own, which names its device. It says the secret of its place, and the
place has one device. Then it says clear frames of that device to the host, and hears the host's
alone. Frames are bounded by place: a flood ends the stream that it comes on.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from firmware.table.protocol import Budget
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Attendee,
    InvitationError,
    InvitationKind,
    body_of,
    head_of,
)
from hw_sim.live.web import incoming
from hw_sim.live.web.client import GONE, LineConnection
from hw_sim.live.web.party_seats import PartySeats, guest_at
from hw_sim.live.web.seating import SeatingError

MOST_STREAMS: Final = 3
"""The most streams of one place, of which its handheld uses one."""
SAYS_PER_S, SAYS_AT_ONCE = 12, 60
"""The frames of one place, and its secrets: so many in the long run, and so many at once."""
_OF_GUESTS: Final = frozenset(InvitationKind) - {
    InvitationKind.TABLE,
    InvitationKind.PLACE,
    InvitationKind.TERMS,
    InvitationKind.STANDS,
    InvitationKind.LINE,
}
"""The kinds of a clear frame that a guest sends; the others are the host's."""


class Phones:
    """Brings the host's frames to phones, and theirs to the host.

    Args:
        seats: whose secrets let a phone in; it keeps the device of each place.
        receive: gets the frames of phones.
        people: returns those in the lobby and at the table that stands, who keep their devices.
        on_device: is called when a place has a device here, or none any more.
    """

    def __init__(
        self,
        seats: PartySeats,
        receive: Callable[[bytes], None],
        people: Callable[[], Collection[Attendee]],
        on_device: Callable[[], None],
    ) -> None:
        self._seats = seats
        self.receive = receive
        self._people = people
        self._on_device = on_device
        self._phones: list[_Phone] = []
        self._says: dict[int, Budget] = {}

    async def serve(self, connection: LineConnection, device: bytes) -> None:
        """Carry the frames of a phone until it parts; its line is that of a device, six bytes."""
        phone: _Phone | None = None
        ended = GONE, ""
        try:
            if isinstance(secret := await connection.receive(), str):
                phone = self._admit(connection, secret, device)
                await self._listen(phone)
        except incoming.RefusalError as error:
            ended = error.code, str(error)
        finally:
            if phone in self._phones:
                self._phones.remove(phone)
                if phone.place not in self.devices:
                    self._on_device()
        connection.close(*ended)

    @property
    def devices(self) -> dict[int, bytes]:
        """The device that each connected place has, six bytes."""
        return {each.place: each.device for each in self._phones}

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame of the host to the phone with a device; None: to all phones."""
        for each in self._phones:
            if device in (None, each.device):
                each.connection.send(frame)

    def close(self) -> None:
        """Cut all streams."""
        for each in self._phones:
            each.cut()

    def cut_strangers(self) -> None:
        """Cut the streams of those who have their place no longer."""
        for each in self._phones:
            if not self._has_place(each):
                each.cut()

    async def _listen(self, phone: "_Phone") -> None:
        """Hear a phone until it parts.

        Raises:
            RefusalError: it says too much, or the place is another's by now.
        """
        while isinstance(frame := await phone.connection.receive(), bytes):
            self._take(phone.place)
            if not self._has_place(phone):
                raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your place any more")
            if _is_of(frame, phone.device):
                self.receive(frame)

    def _admit(self, connection: LineConnection, secret: str, device: bytes) -> "_Phone":
        """Let a phone in whose secret a place has.

        Raises:
            RefusalError: nobody has invited it, its device is another's, or it comes too often.
        """
        place = self._seats.place_of(secret)
        if place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        self._take(place)
        if device == EVERYBODY:
            raise incoming.ProtocolError("no handheld has such a device")
        self.cut_strangers()
        self._bind(place, device)
        own = [each for each in self._phones if each.place == place]
        for each in own[: len(own) - MOST_STREAMS + 1]:
            each.cut()
        phone = _Phone(connection, place, guest_at(self._seats.stored, place).digest, device)
        self._phones.append(phone)
        if not own:
            self._on_device()
        return phone

    def _has_place(self, phone: "_Phone") -> bool:
        return guest_at(self._seats.stored, phone.place).digest == phone.digest

    def _bind(self, place: int, device: bytes) -> None:
        """Give a place its device, unless it is another's.

        Raises:
            RefusalError: it is, or another one of the place is connected, or the disk is full.
        """
        name = guest_at(self._seats.stored, place).name
        for each in self._people():
            if each.device == device and (each.watches or each.name != name):
                raise incoming.RefusalError(incoming.WRONG_SEAT, "this handheld is another's")
        try:
            self._seats.bind(place, device.hex(), anew=place not in self.devices)
        except SeatingError:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this handheld is another's") from None
        except OSError:
            raise incoming.RefusalError(incoming.LATER, "the table cannot keep that now") from None

    def _take(self, place: int) -> None:
        """Count what a place says. Raises RefusalError for too much."""
        now_us = round(asyncio.get_running_loop().time() * 1e6)
        full = Budget(SAYS_AT_ONCE, SAYS_PER_S, now_us)
        if not self._says.setdefault(place, full).take(now_us):
            raise incoming.RefusalError(incoming.TOO_MANY, "too many messages")


class _Phone(NamedTuple):
    """A phone that was let in: its place, the digest of its secret, and its device."""

    connection: LineConnection
    place: int
    digest: str
    device: bytes

    def cut(self) -> None:
        """Cut the stream; its phone comes again."""
        self.connection.close(GONE, "")


def _is_of(frame: bytes, device: bytes) -> bool:
    """Whether a clear frame is one that a guest with this device sends.

    None that a phone sends was passed on by another handheld, and no phone only watches.
    """
    try:
        head, body = head_of(frame), body_of(frame)
    except InvitationError:
        return False
    if isinstance(body, Attendee) and (body.carrier or body.watches or body.device != device):
        return False
    return head.sender == device and head.kind in _OF_GUESTS
